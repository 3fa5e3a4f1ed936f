"""The folder of the project that a file is in."""

from __future__ import annotations

import os
from pathlib import Path


def project_folder(start: Path) -> Path | None:
    """Returns the nearest folder from ``start`` upward with ``cdk.json`` and ``environments/``; None without one."""
    here = start.absolute()
    return next((folder for folder in (here, *here.parents) if is_project(folder)), None)


def is_project(folder: Path) -> bool:
    """Also for a path that no file system takes, such as one with a name of 300 characters."""
    return os.path.isfile(folder / "cdk.json") and os.path.isdir(folder / "environments")  # noqa: PTH112, PTH113
