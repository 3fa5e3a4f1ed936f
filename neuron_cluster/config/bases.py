"""An environment file with the bases that it extends, read as one document."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec
from msgspec import Struct

from neuron_cluster.config.document import MAX_VALUES, Document, read_document
from neuron_cluster.config.environment_config import EXTENDS, EXTENDS_PATTERN
from neuron_cluster.config.file_findings import OTHER_FILE
from neuron_cluster.config.file_text import decoded, read_text
from neuron_cluster.config.merge import merge
from neuron_cluster.config.source_map import SourceMap
from neuron_cluster.config.validation_findings import kind_of
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.findings.text import shortened
from neuron_cluster.project_folder import project_folder

MAX_FILES = 8
"""An environment file and its bases."""
NO_EDITS: Mapping[Path, bytes] = MappingProxyType({})
STREAMS = (Path("/dev"), Path("/proc"))
"""Folders whose files are pipes and terminals, also where the command line redirects one from a file."""
READ_AGAIN = "write the text to a file, and name that: a pipe can be read once, and some commands read it again"
EARLIER = (
    "give the path of a file, beside which its base is found; for an earlier revision `git worktree add --detach "
    ".local/before REVISION`, then .local/before/environments/NAME.yaml"
)


class ConfigFile(Struct, frozen=True):
    """An environment file or a base. ``version`` is inode and time of the last change, before it was read."""

    path: Path
    display_name: str
    version: tuple[int, int] | None = None


class FileWithBases(Struct, frozen=True):
    """The merged document, and what it was read from: the environment file, its base, the base of that, and so on."""

    document: Document
    files: tuple[ConfigFile, ...]


def read_with_bases(path: Path, file: str, edited: Mapping[Path, bytes] = NO_EDITS) -> FileWithBases:
    """Reads an environment file; every mistake is a finding of the document, and nothing is raised.

    ``file`` is the name that findings give it. ``edited`` has the content of files, by resolved path, that is read
    instead of theirs.
    """
    files = [ConfigFile(path, file, file_version(path))]
    documents = [_document(files[0], edited)]
    while base := _base_of(documents[-1], files):
        if isinstance(base, Finding):
            return FileWithBases(_unusable(documents, base), tuple(files))
        files.append(base)
        documents.append(_document(base, edited))
        if finding := _base_finding(documents, files):
            return FileWithBases(_unusable(documents, finding), tuple(files))
        if documents[-1].tree is None:
            return FileWithBases(_unusable(documents), tuple(files))
    *extending, merged = documents
    for document in reversed(extending):
        merged = merge(merged, document)
    merged.findings = _with_environment(merged.findings, file)
    return FileWithBases(merged, tuple(files))


def file_version(path: Path) -> tuple[int, int] | None:
    """Inode and time of the last change, which no later edit can set back; None where there is no such file."""
    try:
        status = path.stat()
    except (OSError, ValueError):  # ValueError: a name that no file system takes
        return None
    return status.st_ino, status.st_ctime_ns


def piped_finding(data: bytes, file: str) -> Finding | None:
    """E1058 for the content of a pipe that extends a base; None for one without a base."""
    text = decoded(data, file)
    document = read_document(text, file) if isinstance(text, str) else None
    if document is None or not isinstance(document.tree, dict) or EXTENDS not in document.tree:
        return None
    return _piped(document.source.locate((EXTENDS,)), file)


def _document(file: ConfigFile, edited: Mapping[Path, bytes]) -> Document:
    """Returns the document of one file without its bases; without a tree where it cannot be used."""
    content = edited.get(file.path.resolve()) if edited else None
    name = file.display_name
    text = read_text(file.path, name) if content is None else decoded(content, name)
    if text == "" and is_stream(file.path):
        text = Finding("E0004", Location(name), "nothing was read from it", READ_AGAIN)
    return read_document(text, name) if isinstance(text, str) else Document(SourceMap(name), None, [text])


def _base_of(document: Document, files: list[ConfigFile]) -> ConfigFile | Finding | None:
    """The base that the last file extends; the finding where it cannot be; None without one."""
    tree, name = document.tree, files[-1].display_name
    if not isinstance(tree, dict) or EXTENDS not in tree:
        return None
    place, given = document.source.locate((EXTENDS,)), tree[EXTENDS]
    if not isinstance(given, str) or not re.match(EXTENDS_PATTERN, given):
        shown = f'"{shortened(given)}"' if isinstance(given, str) else kind_of(given)
        hint = f"write the path from the folder of {name} to one file, such as extends: bases/train.yaml"
        return Finding("E1054", place, f"extends is {shown}, not a relative path of a .yaml file", hint)
    if len(files) == 1 and is_stream(files[0].path):
        return _piped(place, name)
    path = files[-1].path.parent / given
    base = ConfigFile(path, os.path.normpath(str(Path(name).parent / given)), file_version(path))
    return _outside(base, place, files) or _circular(base, place, files) or _too_many(place, files) or base


def _outside(base: ConfigFile, place: Location, files: list[ConfigFile]) -> Finding | None:
    """Only files of the project are read: an environment file may come from elsewhere, such as a pull request."""
    beside = files[0].path.absolute().parent
    project = project_folder(beside)
    folder = project or beside
    try:
        is_inside = base.path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError) as error:  # a name that no file system takes; a loop of links
        reason = getattr(error, "strerror", None) or str(error)
        return Finding("E1050", place, f"the base {base.display_name} cannot be read: {reason}", _where_from(files))
    if is_inside and base.version is not None and not (base.path.is_file() or base.path.is_dir()):
        return Finding("E1050", place, f"the base {base.display_name} is not a file", _where_from(files))
    if is_inside:
        return None
    folder_text = (
        "the project" if project is not None else f"the folder of {files[0].display_name}, which is in no project"
    )
    hint = f"copy the base into {folder}, for example to environments/bases/, and write the path to it"
    return Finding("E1051", place, f"the base {base.display_name} is outside of {folder_text}", hint)


def _circular(base: ConfigFile, place: Location, files: list[ConfigFile]) -> Finding | None:
    paths = [file.path.resolve() for file in files]
    resolved = base.path.resolve()
    if resolved not in paths:
        return None
    names = [file.display_name for file in files[paths.index(resolved) :]]
    message = f"extends makes a cycle: {' -> '.join([*names, names[0]])}"
    return Finding("E1052", place, message, "remove extends from one of these files")


def _too_many(place: Location, files: list[ConfigFile]) -> Finding | None:
    if len(files) < MAX_FILES:
        return None
    names = " -> ".join(file.display_name for file in files)
    hint = "remove extends here, and move what the further bases have into this file"
    return Finding("E1053", place, f"extends makes a chain of more than {MAX_FILES} files: {names}", hint)


def _base_finding(documents: list[Document], files: list[ConfigFile]) -> Finding | None:
    """Returns the fault of the base that was read last, as a finding about the key that names it."""
    document, base = documents[-1], files[-1].display_name
    place = documents[-2].source.locate((EXTENDS,))
    if document.findings and document.findings[0].id == "E0001":
        unread = documents.pop().findings[0]
        way = _way_to_base(documents[-1].tree[EXTENDS], files[-1].path, unread.hint)
        return Finding("E1050", place, f"the base {base}: {unread.message}", f"{way}{_where_from(files[:-1])}")
    if document.tree is not None and not isinstance(document.tree, dict):
        message = f"the base holds {kind_of(document.tree)}, not the keys of an environment"
        hint = "write KEY: VALUE lines without dashes; a base need not have every key"
        return Finding("E1055", document.source.locate(()), message, hint)
    if sum(len(each.source.places) for each in documents) > MAX_VALUES:
        message = f"the file and its bases contain more than {MAX_VALUES:,} keys and list items"
        return Finding("E1057", place, message, OTHER_FILE)
    return None


def _unusable(documents: list[Document], finding: Finding | None = None) -> Document:
    """No tree: of half of the files, every key of the others would be called missing."""
    found = [each for document in documents for each in document.findings]
    source = documents[0].source
    return Document(source, None, _with_environment([*found, *([finding] if finding else [])], source.file))


def _with_environment(findings: list[Finding], file: str) -> list[Finding]:
    """The findings; those about a base name the environment that extends it."""
    return [
        finding
        if finding.location.file == file
        else msgspec.structs.replace(finding, location=msgspec.structs.replace(finding.location, extended_by=file))
        for finding in findings
    ]


def _way_to_base(given: str, path: Path, hint: str) -> str:
    """Returns the start of a hint: names for ``extends`` of files near a missing one, or how to make one readable."""
    if path.exists():
        return "" if path.is_dir() else f"{hint}; or "
    near = suggestions(path.name, [other.name for other in path.parent.glob("*.y*ml")])
    return did_you_mean([str(Path(given).with_name(name)) for name in near])


def _where_from(files: list[ConfigFile]) -> str:
    return f"name a file; the path is relative to the folder of {files[-1].display_name}"


def _piped(place: Location, file: str) -> Finding:
    return Finding("E1058", place, f"{file} is a pipe: the folder of its base is not known", EARLIER)


def is_stream(path: Path) -> bool:
    """Whether its text can be read once alone: a pipe, a terminal, or another device. False for no file."""
    absolute = path.absolute()
    if any(absolute.is_relative_to(folder) for folder in STREAMS):
        return True
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
