"""The folder of a checkout for what is not in version control: the local AWS, its locks, unpacked tools, records."""

from __future__ import annotations

from pathlib import Path

NAME = ".local"


def local_folder(project: Path) -> Path:
    return project / NAME
