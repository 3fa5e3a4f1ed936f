"""Edits of values in an environment file and its bases, and the errors that they would cause."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.atomic_write import write_atomically
from neuron_cluster.config.bases import ConfigFile, is_stream, read_with_bases
from neuron_cluster.config.loader import LoadedEnvironment
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding, Severity
from neuron_cluster.opened_environment import checked_file
from neuron_cluster.project import EnvironmentFile, Project, find_project
from neuron_cluster.upgrade.file_edit import FileEdit, NewKey, edited_text, with_new_key
from neuron_cluster.upgrade.list_edit import ListEdit, RemovedKey, with_list, without_key


class EditedFile(Struct, frozen=True):
    """The environment file or a base, and its content with the edits of the values that are written in it."""

    file: ConfigFile
    edits: tuple[FileEdit, ...]
    """With the key paths of this file."""
    content: bytes


class EditedValues(Struct, frozen=True):
    """Values of an environment with their edits; nothing is written yet."""

    edited: tuple[EditedFile, ...]
    new_errors: tuple[Finding, ...]
    """Errors that the edited files would have and the present ones do not have."""
    also_changes: tuple[EnvironmentFile, ...]
    """Other environments of the project that extend an edited base."""

    def write(self) -> None:
        """Edits the files. Raises ``ToolkitError`` when one cannot be written."""
        for file in self.edited:
            write_atomically(file.file.path, file.content)


def edited_values(
    file: EnvironmentFile,
    edits: Sequence[FileEdit],
    added: Sequence[NewKey],
    local: Project | None,
    others: Sequence[ListEdit | RemovedKey] = (),
) -> EditedValues:
    """The files with the edits, ``others`` among them; added keys are in the environment file itself.

    They are checked for the local AWS of a project or, without ``local``, for AWS. Raises ``ToolkitError`` where an
    edit would change more than its value.
    """
    require_no_pipe(file)
    loaded = checked_file(file, local).loaded
    edited = _with_keys(loaded, _with_lists(loaded, tuple(edits), others), added)
    content = {each.file.path.resolve(): each.content for each in edited}
    also = tuple(others_with(content, file))
    new = tuple(error for each in (file, *also) for error in new_errors(each, content, local))
    return EditedValues(edited, new, also)


def _with_lists(
    loaded: LoadedEnvironment, edits: tuple[FileEdit, ...], others: Sequence[ListEdit | RemovedKey]
) -> dict[str, EditedFile]:
    """The edited files by their names. Each key is edited in the file that it is written in."""
    edited = {each.file.display_name: each for each in edited_files(loaded, edits)}
    for other in others:
        origin = loaded.source.origin(other.path)
        own = _edited_or_read(loaded, edited, origin.file)
        text, there = own.content.decode(), replace(other, path=origin.path)
        made = with_list(text, there) if isinstance(there, ListEdit) else without_key(text, there)
        edited[origin.file] = replace(own, content=made.encode())
    return edited


def _with_keys(
    loaded: LoadedEnvironment, edited: dict[str, EditedFile], added: Sequence[NewKey]
) -> tuple[EditedFile, ...]:
    if added:
        own = _edited_or_read(loaded, edited, loaded.source.file)
        text = functools.reduce(with_new_key, added, own.content.decode())
        edited[loaded.source.file] = replace(own, content=text.encode())
    return tuple(edited.values())


def _edited_or_read(loaded: LoadedEnvironment, edited: Mapping[str, EditedFile], name: str) -> EditedFile:
    if name in edited:
        return edited[name]
    file = next(each for each in loaded.files if each.display_name == name)
    return EditedFile(file, (), file.path.read_bytes())


def require_no_pipe(file: EnvironmentFile) -> None:
    """The text of a pipe is gone after the first look at it."""
    if is_stream(file.path):
        message = f"{file.display_name} is a pipe or a device, in which no value can be edited"
        raise ToolkitError(message, hint="write the text to a file, and name that")


def edited_files(loaded: LoadedEnvironment, edits: tuple[FileEdit, ...]) -> Iterator[EditedFile]:
    """Each value is edited in the file that it is written in."""
    for file in loaded.files:
        origins = ((edit, loaded.source.origin(edit.path)) for edit in edits)
        own = tuple(replace(edit, path=origin.path) for edit, origin in origins if origin.file == file.display_name)
        if own:
            yield EditedFile(file, own, edited_text(file.path.read_bytes().decode(), own).encode())


def others_with(edited: Mapping[Path, bytes], file: EnvironmentFile) -> Iterator[EnvironmentFile]:
    project = find_project(start=file.path.absolute().parent)
    if project is None or edited.keys() <= {file.path.resolve()}:
        return
    for other in project.environment_files():
        files = {each.path.resolve() for each in read_with_bases(other.path, other.display_name).files}
        if file.path.resolve() != other.path.resolve() and not files.isdisjoint(edited):
            yield other


def new_errors(file: EnvironmentFile, edited: Mapping[Path, bytes], local: Project | None) -> Iterator[Finding]:
    """The errors that one environment has with the edits and does not have now."""
    known = {(each.id, each.location.path) for each in checked_file(file, local).findings}
    for each in checked_file(file, local, edited=edited).findings:
        if each.severity is Severity.ERROR and (each.id, each.location.path) not in known:
            yield each
