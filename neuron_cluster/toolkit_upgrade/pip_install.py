"""Installs a release of the toolkit with pip into a new virtual environment."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.deploy.child_process import child_process
from neuron_cluster.deploy.disk import DiskError, disk_failure
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.errors import ToolkitError
from neuron_cluster.toolkit_upgrade.package_source import (
    PackageSource,
    ToolkitSource,
    absolute,
    configured_places,
    toolkit_source,
)

QUIET_SECONDS = 15
"""How long pip may run before another line of its progress is shown."""
SHOWN_LINES = 4
LONGEST = 90
"""Characters of a line of progress."""
NEEDED_GB = 3
"""A release with its dependencies has 1.2 GB installed (docs/install.md); pip downloads and unpacks further files."""
_ERROR = re.compile(r"^ERROR: (?P<text>.+)$", re.MULTILINE)
_UNKNOWN = "No matching distribution found"


class Pip:
    """pip for a new virtual environment in ``folder``, which is made with its first command; ``report`` gets progress.

    pip installs wheels alone: the build of a source distribution would run its code, with the caller's credentials.
    """

    def __init__(self, folder: Path, report: Callable[[str], None]) -> None:
        self.environment = folder / "environment"
        self._folder = folder
        self._report = report

    def download(self, requirement: str, place: ToolkitSource, folder: Path) -> Path:
        """The wheel of the toolkit without its dependencies. Raises ``ToolkitError`` where the place lacks it."""
        (empty := self._folder / "none").mkdir()
        arguments = ("download", "--no-deps", f"--dest={folder}", *place.arguments, requirement)
        self._run(requirement, arguments, place.variables(empty))
        return next(folder.iterdir())

    def install(self, wheel: Path, source: PackageSource) -> None:
        """Installs the wheel, and its dependencies from any source. Raises ``ToolkitError`` with what pip wrote."""
        folders = " ".join(map(absolute, os.environ.get("PIP_FIND_LINKS", "").split()))
        self._run(wheel.name, ("install", *source.arguments, str(wheel)), {"PIP_FIND_LINKS": folders})

    def source_of_toolkit(self, requirement: str, source: PackageSource, catalog: Catalog) -> ToolkitSource:
        """Raises ``ToolkitError`` where no place of the user is known."""
        if " @ " in requirement:  # a URL of the repository
            return ToolkitSource()
        _, listed = _run([*self._pip(), "config", "list"], self._folder, os.environ, self._report)
        return toolkit_source(source, configured_places(listed), catalog)

    def _run(self, requirement: str, arguments: Sequence[str], variables: Mapping[str, str]) -> None:
        verb, *others = arguments
        command = [*self._pip(), verb, "--no-input", "--progress-bar=off", "--retries=1", "--only-binary=:all:"]
        command += ["--disable-pip-version-check", *others]
        self._checked(f"install {requirement}", requirement, command, {**os.environ, **variables})

    def _pip(self) -> list[str | Path]:
        """Its command; makes the environment."""
        has_pip = importlib.util.find_spec("pip") is not None
        if not self.environment.exists():
            make = [sys.executable, "-m", "venv", *(["--without-pip"] if has_pip else []), str(self.environment)]
            self._checked("make a virtual environment", "", make, os.environ)
        if has_pip:
            return [sys.executable, "-m", "pip", "--python", self.environment]
        return [self.environment / "bin" / "python", "-m", "pip"]

    def _checked(
        self, action: str, requirement: str, command: Sequence[str | Path], environ: Mapping[str, str]
    ) -> None:
        status, written = _run(command, self._folder, environ, self._report)
        if status != 0:
            raise _disk_failure(written, self.environment) or _failure(action, requirement, written)


def _run(
    command: Sequence[str | Path], folder: Path, environ: Mapping[str, str], report: Callable[[str], None]
) -> tuple[int, str]:
    """Exit status, and what was written."""
    # The log is not in the folder: a full disk there would hide its own message.
    with work_folder() as logs, (logs / "pip.log").open("w+b") as log:
        with child_process(command, cwd=folder, environment=environ, log=log) as process:
            while True:
                try:
                    status = process.wait(QUIET_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    report(f"  {last_line(log)}")
        log.seek(0)
        return status, log.read().decode(errors="replace")


def last_line(log: IO[bytes]) -> str:
    """Returns pip's last line, shortened: it names all packages on one. The position in the file, pip's too, stays."""
    content = os.pread(log.fileno(), os.fstat(log.fileno()).st_size, 0).decode(errors="replace")
    line = next((line for line in reversed(content.splitlines()) if line.strip()), "pip is starting")
    return textwrap.shorten(line, LONGEST, placeholder=" …")


def _disk_failure(written: str, environment: Path) -> DiskError | None:
    found = disk_failure(written, [environment.parent])
    if found is None:
        return None
    hint = f"{NEEDED_GB} GB are needed; XDG_CACHE_HOME=DIR and TMPDIR=DIR in front of the command name other folders"
    return DiskError(f"{found.message}; nothing was installed", hint=hint)


def _failure(action: str, requirement: str, written: str) -> ToolkitError:
    lines = [match["text"] for match in _ERROR.finditer(written)] or written.strip().splitlines()[-SHOWN_LINES:]
    shown = "\n".join(lines[:SHOWN_LINES])
    sources = "--index-url URL or --find-links DIR, PIP_INDEX_URL, or pip.conf"
    hint = (
        f"pip reads packages from the index of {sources}; `pip download` fetches them for a machine without a network"
    )
    if _UNKNOWN in written:
        hint = (
            f"is {requirement} a release that the index has? The toolkit is not on PyPI: name the index with {sources}"
        )
    return ToolkitError(f"pip did not {action}; nothing was changed\n{shown}".rstrip(), hint=hint)
