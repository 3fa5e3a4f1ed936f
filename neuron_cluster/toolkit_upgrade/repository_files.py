"""Files of ``init`` (``cdk.json``, CI examples, schemas) that another release writes in another way."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from neuron_cluster.config.loader import load_environment
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.pinned_toolkit.requirement import WHEELS
from neuron_cluster.pinned_toolkit.requirements_file import FILE
from neuron_cluster.project import EnvironmentFile, Project
from neuron_cluster.toolkit_upgrade.release import Release
from neuron_cluster.toolkit_upgrade.release_run import run_together

TEMPLATE = "dev-inf2"
"""No other file than the environment depends on the template."""
MAX_TRIED = 5
"""Environments with whose name, account and Region ``init`` is tried: those of the first one are in its files."""


class FileState(enum.StrEnum):
    """The state of a file in the upgrade."""

    UNEDITED = "written anew"
    """As the present release writes it."""
    NEW = "new"
    EDITED = "edited: left as it is"
    OBSOLETE = "no longer written: left as it is"


class FileUpgrade(Struct, frozen=True):
    """``before`` is the content in the repository, None where it has no such file; ``after`` that of the release."""

    path: str
    state: FileState
    before: bytes | None
    after: bytes | None

    @property
    def is_written(self) -> bool:
        return self.state in {FileState.UNEDITED, FileState.NEW}


class RepositoryFiles(Struct, frozen=True):
    """``failure`` is the reason why the files were not compared."""

    files: tuple[FileUpgrade, ...] = ()
    failure: str = ""


Contents = Mapping[str, bytes]


def repository_files(
    project: Project, environments: Sequence[EnvironmentFile], before: Release, after: Release
) -> RepositoryFiles:
    """Returns the files that differ between the releases. Writes nothing in the project."""
    failure, best, most = "no environment has a name, an account and a Region", None, -1
    for options in _init_options(environments):
        made = _made(options, before, after)
        if isinstance(made, str):
            failure = made
            continue
        old, _ = made
        same = sum(_content(project.root, path) == content for path, content in old.items())
        if same > most:
            best, most = made, same
        if same == len(old):
            break
    return RepositoryFiles(tuple(_compared(project.root, *best))) if best is not None else RepositoryFiles((), failure)


def _init_options(environments: Sequence[EnvironmentFile]) -> Iterator[tuple[str, ...]]:
    for file in environments[:MAX_TRIED]:
        config = load_environment(file.path).config
        if config is not None:
            yield "--name", config.name, "--account", config.account, "--region", config.region


def _made(options: Sequence[str], *releases: Release) -> tuple[Contents, Contents] | str:
    """Returns the files of ``init`` of both releases; the reason where one fails."""
    with work_folder() as folder:
        outputs = [folder / str(position) for position in range(len(releases))]
        commands = [
            release.command("init", str(output), "--template", TEMPLATE, *options)
            for release, output in zip(releases, outputs, strict=True)
        ]
        for release, ran in zip(releases, run_together(commands, cwd=folder, logs=folder), strict=True):
            if ran.status != 0:
                return f"init of release {release.version} ended with status {ran.status}: {ran.last_line}"
        name = options[1]
        old, new = (_contents(output, leave_out=(FILE, f"environments/{name}.yaml")) for output in outputs)
        return old, new


def _contents(folder: Path, leave_out: Sequence[str]) -> Contents:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    named = {path.relative_to(folder).as_posix(): path for path in files}
    own = {name: path for name, path in named.items() if name not in leave_out and not name.startswith(f"{WHEELS}/")}
    return {name: path.read_bytes() for name, path in own.items()}


def _compared(root: Path, old: Contents, new: Contents) -> Iterator[FileUpgrade]:
    for path in sorted({*old, *new}):
        own, before, after = _content(root, path), old.get(path), new.get(path)
        is_deleted = own is None and before is not None and not (root / path).exists()
        if after in {before, own} or is_deleted:
            continue
        yield FileUpgrade(path, _state(root, path, own, before, after), own, after)


def _state(root: Path, path: str, own: bytes | None, before: bytes | None, after: bytes | None) -> FileState:
    if after is None:
        return FileState.OBSOLETE
    if own is None and not (root / path).exists():
        return FileState.NEW
    return FileState.UNEDITED if own == before else FileState.EDITED


def _content(root: Path, path: str) -> bytes | None:
    """Returns the content of a file; None for a link, which may lead out of the repository: it counts as edited."""
    try:
        return None if (root / path).is_symlink() else (root / path).read_bytes()
    except OSError:
        return None
