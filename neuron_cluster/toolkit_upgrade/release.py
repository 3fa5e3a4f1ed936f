"""One release of the toolkit that is installed: the running one, or one in a virtual environment of its own."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

from msgspec import Struct

from neuron_cluster.pinned_toolkit.requirement import DISTRIBUTION
from neuron_cluster.pinned_toolkit.running_wheel import running_wheel

WHEEL_FOLDER = "wheel"
"""In the virtual environment of a release, the wheel from which it was installed."""
MODULE = "neuron_cluster.cli.main"


class Release(Struct, frozen=True):
    """A version and the interpreter that runs it."""

    version: str
    python: Path
    is_running: bool = False
    wheel: Path | None = None
    """The file from which it was installed, where that is known and unchanged."""

    def command(self, *arguments: str) -> list[str | Path]:
        """A command line of this release, whatever the working directory and ``PYTHONPATH`` hold.

        Only the running release can be in the user's own ``site-packages``, which ``-I`` leaves out.
        """
        return [self.python, "-P" if self.is_running else "-I", "-m", MODULE, *arguments]


def running_release() -> Release:
    return Release(
        importlib.metadata.version(DISTRIBUTION), Path(sys.executable), is_running=True, wheel=running_wheel()
    )


def release_in(environment: Path) -> Release | None:
    """The release that is installed in a virtual environment; None without one, or where its Python is gone."""
    python = environment / "bin" / "python"
    folders = [str(folder) for folder in environment.glob("lib/python*/site-packages")]
    found = next(iter(importlib.metadata.distributions(name=DISTRIBUTION, path=folders)), None)
    wheel = next(environment.glob(f"{WHEEL_FOLDER}/*.whl"), None)
    return Release(found.version, python, wheel=wheel) if found is not None and python.exists() else None
