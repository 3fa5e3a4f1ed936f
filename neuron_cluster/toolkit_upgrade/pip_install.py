"""Installs a release of the toolkit with pip into a new virtual environment."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from msgspec import Struct

from neuron_cluster.deploy.child_process import child_process
from neuron_cluster.deploy.disk import DiskError, disk_failure
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.errors import ToolkitError

QUIET_SECONDS = 15
"""How long pip may run before another line of its progress is shown."""
SHOWN_LINES = 4
LONGEST = 90
"""Characters of a line of progress."""
NEEDED_GB = 3
"""A release with its dependencies has 1.2 GB installed (docs/install.md), beside what pip downloads and unpacks."""
_ERROR = re.compile(r"^ERROR: (?P<text>.+)$", re.MULTILINE)
_UNKNOWN = "No matching distribution found"


class PackageSource(Struct, frozen=True):
    """Where pip looks for packages, beside what its own configuration and ``PIP_…`` variables name."""

    index_url: str | None = None
    find_links: str | None = None
    has_index: bool = True

    @property
    def arguments(self) -> Iterator[str]:
        if self.index_url is not None:
            yield f"--index-url={self.index_url}"
        if self.find_links is not None:
            yield f"--find-links={self.find_links}"
        if not self.has_index:
            yield "--no-index"


def install(environment: Path, requirement: str, source: PackageSource, report: Callable[[str], None]) -> None:
    """Makes the virtual environment and installs the requirement there; ``report`` gets lines of progress.

    Raises ``ToolkitError`` when pip fails, with what it wrote.
    """
    has_pip = importlib.util.find_spec("pip") is not None
    make = [sys.executable, "-m", "venv", *(["--without-pip"] if has_pip else []), str(environment)]
    pip = [sys.executable, "-m", "pip", "--python"] if has_pip else [environment / "bin" / "python", "-m", "pip"]
    command = [
        *(*pip, *([environment] if has_pip else []), "install", "--no-input", "--progress-bar=off", "--retries=1"),
        *("--disable-pip-version-check", *source.arguments, requirement),
    ]
    for each, words in ((make, "make a virtual environment"), (command, f"install {requirement}")):
        status, written = _run(each, environment.parent, report)
        if status != 0:
            raise _disk_failure(written, environment) or _failure(words, requirement, written)


def _run(command: Sequence[str | Path], folder: Path, report: Callable[[str], None]) -> tuple[int, str]:
    # The log is not in the folder: a full disk there would hide its own message.
    with work_folder() as logs, (logs / "pip.log").open("w+b") as log:
        with child_process(command, cwd=folder, environment=os.environ, log=log) as process:
            while True:
                try:
                    status = process.wait(QUIET_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    report(f"  {last_line(log)}")
        log.seek(0)
        return status, log.read().decode(errors="replace")


def last_line(log: IO[bytes]) -> str:
    """What pip is doing, shortened: it names all packages on one line. The position in the file, pip's too, stays."""
    content = os.pread(log.fileno(), os.fstat(log.fileno()).st_size, 0).decode(errors="replace")
    line = next((line for line in reversed(content.splitlines()) if line.strip()), "pip is starting")
    return textwrap.shorten(line, LONGEST, placeholder=" …")


def _disk_failure(written: str, environment: Path) -> DiskError | None:
    found = disk_failure(written, [environment.parent])
    if found is None:
        return None
    hint = f"{NEEDED_GB} GB are needed; XDG_CACHE_HOME=DIR and TMPDIR=DIR in front of the command name other folders"
    return DiskError(f"{found.message}; nothing was installed", hint=hint)


def _failure(words: str, requirement: str, written: str) -> ToolkitError:
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
    return ToolkitError(f"pip did not {words}; nothing was changed\n{shown}".rstrip(), hint=hint)
