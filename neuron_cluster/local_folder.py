"""The git-ignored folder of a checkout: the local AWS, its locks, unpacked tools, records."""

from __future__ import annotations

from pathlib import Path

NAME = ".local"


def local_folder(project: Path) -> Path:
    return project / NAME
