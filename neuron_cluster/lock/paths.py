"""The path of an environment's lock: one for AWS, in version control, and one for the local AWS, which is not."""

from __future__ import annotations

from pathlib import Path, PurePath

from neuron_cluster.findings.commands import Command, of_file
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


def are_local(locks: Path | None) -> bool:
    """Returns whether this folder has locks of the local AWS; None is the folder next to the environment file."""
    return locks is not None and locks.name == FOLDER and locks.parent.name == LOCAL_FOLDER


def commands_of(file: str, locks: Path | None = None) -> dict[Command, str]:
    """The commands for an environment file, with the option of the local AWS where ``locks`` are its locks."""
    return of_file(as_argument(file), is_local=are_local(locks))


def lock_command(file: str, locks: Path | None = None) -> str:
    """The command that writes the lock of an environment file again."""
    return commands_of(file, locks)[Command.LOCK]


def as_argument(file: str) -> str:
    """How a command is given a file: by name where it is an environment of the project, else by its path.

    The ``name`` in a file is not used: it may be broken, and a draft has that of the file it is a draft of.
    """
    path = PurePath(file)
    if path == PurePath("environments", f"{path.stem}.yaml"):
        return path.stem
    import shlex

    return shlex.quote(file)
