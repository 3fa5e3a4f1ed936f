"""Where the lock of an environment lies: one for AWS, in version control, and one for the local AWS, which is not."""

from __future__ import annotations

from pathlib import Path

FOLDER = "locks"
LOCAL = ".local"


def locks_beside(environment_file: Path) -> Path:
    """The folder with the locks for AWS of the files in one folder: ``environments/locks``."""
    return environment_file.parent / FOLDER


def local_locks(project: Path) -> Path:
    """The folder with the locks that were made against the local AWS."""
    return project / LOCAL / FOLDER


def lock_path(locks: Path, environment: str) -> Path:
    return locks / f"{environment}.yaml"


def lock_command(locks: Path, environment: str) -> str:
    """The command that writes the lock anew."""
    local = " --local" if locks.name == FOLDER and locks.parent.name == LOCAL else ""
    return f"neuron-cluster lock{local} {environment}"
