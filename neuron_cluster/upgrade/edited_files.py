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
    file: EnvironmentFile, edits: Sequence[FileEdit], added: Sequence[NewKey], local: Project | None
) -> EditedValues:
    """The files with the edits; added keys are in the environment file itself.

    They are checked for the local AWS of a project or, without ``local``, for AWS. Raises ``ToolkitError`` where an
    edit would change more than its value.
    """
    require_no_pipe(file)
    edited = _with_keys(checked_file(file, local).loaded, tuple(edits), added)
    content = {each.file.path.resolve(): each.content for each in edited}
    others = tuple(others_with(content, file))
    new = tuple(error for each in (file, *others) for error in new_errors(each, content, local))
    return EditedValues(edited, new, others)


def _with_keys(
    loaded: LoadedEnvironment, edits: tuple[FileEdit, ...], added: Sequence[NewKey]
) -> tuple[EditedFile, ...]:
    edited = {each.file.display_name: each for each in edited_files(loaded, edits)}
    if added:
        own = next(each for each in loaded.files if each.display_name == loaded.source.file)
        content = edited[own.display_name].content if own.display_name in edited else own.path.read_bytes()
        text = functools.reduce(with_new_key, added, content.decode())
        before = edited[own.display_name].edits if own.display_name in edited else ()
        edited[own.display_name] = EditedFile(own, before, text.encode())
    return tuple(edited.values())


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
