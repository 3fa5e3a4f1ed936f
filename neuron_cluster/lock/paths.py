"""The path of an environment's lock: one for AWS, in version control, and one for the local AWS, which is not."""

from __future__ import annotations

from pathlib import Path, PurePath

from neuron_cluster.local_folder import NAME as LOCAL_FOLDER
from neuron_cluster.local_folder import local_folder

FOLDER = "locks"


def locks_beside(environment_file: Path) -> Path:
    """The folder with the locks for AWS of the files in one folder: ``environments/locks``."""
    return environment_file.parent / FOLDER


def local_locks(project: Path) -> Path:
    """The folder with the locks that were made against the local AWS."""
    return local_folder(project) / FOLDER


def lock_path(locks: Path, environment: str) -> Path:
    return locks / f"{environment}.yaml"


def lock_command(file: str, locks: Path | None = None) -> str:
    """The command that writes the lock of an environment file anew. ``locks`` identifies a lock of the local AWS."""
    is_local = locks is not None and locks.name == FOLDER and locks.parent.name == LOCAL_FOLDER
    return f"neuron-cluster lock{' --local' if is_local else ''} {as_argument(file)}"


def as_argument(file: str) -> str:
    """How a command is given a file: by name where it is an environment of the project, else by its path.

    The ``name`` in a file is not used: it may be broken, and a draft has that of the file it is a draft of.
    """
    path = PurePath(file)
    if path == PurePath("environments", f"{path.stem}.yaml"):
        return path.stem
    import shlex

    return shlex.quote(file)
