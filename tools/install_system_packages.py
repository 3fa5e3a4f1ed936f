"""Installs the Debian packages of tools/system-packages.txt that are absent; without network if none is.

Needs no other module: .ci/run starts it before there is a ``.venv``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).with_name("system-packages.txt")


def system_packages() -> tuple[str, ...]:
    """The names in the list, without comments."""
    lines = (line.partition("#")[0].strip() for line in LIST.read_text(encoding="utf-8").splitlines())
    return tuple(filter(None, lines))


def absent_packages() -> tuple[str, ...]:
    """Returns the packages that neither dpkg has nor ``PATH``: a package has a program of its name."""
    return tuple(name for name in system_packages() if shutil.which(name) is None and not _is_installed(name))


def install(names: tuple[str, ...]) -> None:
    """Installs packages with apt-get, by sudo where the user is not root.

    Raises ``SystemExit`` with the names where apt-get cannot.
    """
    if shutil.which("apt-get") is None:
        sys.exit(f"{' '.join(names)}: apt-get is absent; install these packages in another way")
    prefix = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if prefix and shutil.which("sudo") is None:
        sys.exit(f"{' '.join(names)}: apt-get needs root or sudo; install these packages as root")
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet", "--quiet"]
    for arguments in (["update"], ["install", "--yes", "--no-install-recommends", *names]):
        if subprocess.run([*prefix, *quiet, *arguments], stdin=subprocess.DEVNULL, check=False).returncode != 0:
            sys.exit(f"{' '.join(names)}: `apt-get {arguments[0]}` failed; install these packages in another way")
    if absent := absent_packages():
        sys.exit(f"{' '.join(absent)}: absent after `apt-get install`")


def _is_installed(name: str) -> bool:
    if shutil.which("dpkg-query") is None:
        return False
    asked = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${db:Status-Status}", name],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return asked.stdout == "installed"


if __name__ == "__main__":
    if missing := absent_packages():
        install(missing)
