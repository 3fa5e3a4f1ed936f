"""A second Python environment of a test, kept for the next run."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

INSTALL_SECONDS = 900


def python_with(lock: Path, folder: Path) -> Path:
    """The Python of an environment in ``folder`` with the packages of ``lock``.

    Workers of a parallel run ask at once: one makes it, the others wait. One that was not finished is made again.
    """
    done, python = folder / "installed", folder / "bin" / "python"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not done.exists():
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
            options = ["--quiet", "--disable-pip-version-check", "--require-hashes", "-r", str(lock)]
            subprocess.run([python, "-m", "pip", "install", *options], check=True, timeout=INSTALL_SECONDS)
            done.touch()
    return python
