"""YAML text becomes a plain tree of mappings, lists and the *texts* of scalars, with the place of everything.

Works on the parser's events instead of PyYAML's constructors: no type is guessed, nesting is bounded, and what a
configuration file has no use for (aliases, merge keys, tags, several documents) is a finding, not a surprise.
"""

from __future__ import annotations

from typing import Any

import yaml
from msgspec import Struct, field

from neuron_cluster.config.file_findings import MAX_ERRORS, OTHER_FILE, too_many
from neuron_cluster.config.scalars import Quoted
from neuron_cluster.config.source_map import KeyPath, SourceMap, format_path
from neuron_cluster.config.yaml_error import not_yaml
from neuron_cluster.findings.finding import Finding, Location

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

DEEPEST = 20
"""Levels of nesting that are read; the model needs seven."""
MAX_VALUES = 100_000
"""Keys and list items that are read; an environment of a thousand node groups has 20,000."""


class _Open(Struct):
    """A mapping or list that is still being read."""

    path: KeyPath
    value: dict[str, Any] | list[Any]
    key: str | None = None
    spoiled: bool = False
    """The key is a duplicate: its value is read and dropped."""
    twice: list[str] = field(default_factory=list)
    """Duplicate keys."""


class Document(Struct):
    """The contents of a file. ``tree`` is ``None`` when nothing of it can be used."""

    source: SourceMap
    tree: Any = None
    findings: list[Finding] = field(default_factory=list)
    doubtful: list[KeyPath] = field(default_factory=list)
    """Items of lists that are two, most likely."""


def read_document(text: str, file: str) -> Document:
    """Reads YAML text. Every mistake is in ``findings``; nothing is raised."""
    reader = _Reader(Document(SourceMap(file)))
    try:
        for event in yaml.parse(text, Loader=Loader):
            if not reader.take(event) or reader.is_full():
                break
    except yaml.YAMLError as error:
        reader.document.findings.append(not_yaml(error, text, file))
        reader.document.tree = None
        return reader.document
    if not reader.document.findings and reader.document.tree is None:
        reader.find("E0004", None, "the file is empty", "start from a file in environments/, or from `schema: 1`")
    return reader.document


def _place_of(event: yaml.Event) -> tuple[int, int]:
    """Line and column, counted from 1."""
    mark = event.start_mark
    return (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)


class _Reader:
    """Builds the tree from parser events, one open container at a time."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.open: list[_Open] = []
        self.documents = 0

    def find(self, finding_id: str, event: yaml.Event | None, message: str, hint: str, path: KeyPath = ()) -> None:
        line, column = _place_of(event) if event is not None else (0, 0)
        place = Location(self.document.source.file, line, column, format_path(path))
        self.document.findings.append(Finding(finding_id, place, message, hint))

    def is_full(self) -> bool:
        """Whether the file holds more mistakes or values than are read; then nothing of it is used."""
        if len(self.document.findings) > MAX_ERRORS:
            self.document.findings[MAX_ERRORS:] = [too_many(self.document.source.file)]
        elif len(self.document.source.places) > MAX_VALUES:
            self.find("E0002", None, f"contains more than {MAX_VALUES:,} keys and list items", OTHER_FILE)
        else:
            return False
        self.document.tree = None
        return True

    def take(self, event: yaml.Event) -> bool:
        """Reads one event; ``False`` means that the rest of the file is of no use."""
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                hint = "remove this line, or move the following text to another file"
                self.find("E0004", event, "a second YAML document begins here", hint)
                return False
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.NodeEvent):
            return self._begin(event)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            self.open.pop()
        return True

    def _begin(self, event: yaml.NodeEvent) -> bool:
        if event.anchor:
            self._reject_reuse(event)
        if tag := getattr(event, "tag", None):
            self.find("E0006", event, f"the tag {tag} is not allowed", "remove the tag; types come from the schema")
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if len(self.open) >= DEEPEST:
            hint = "remove brackets or levels: the schema has at most seven levels"
            self.find("E0007", event, f"nested deeper than {DEEPEST} levels", hint)
            self.document.tree = None  # of half a tree, all that was not read would be called missing
            return False
        value: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
        if self._awaits_key():
            hint = "keys are plain words; replace template placeholders such as {{ region }}"
            self.find("E0003", event, "a mapping or list where a key is expected: mapping keys must be scalars", hint)
            self.document.tree = None
            return False
        path = self._place(event, value)
        self.open.append(_Open(path, value))
        return True

    def _awaits_key(self) -> bool:
        """Whether the next event is a key of a mapping."""
        return bool(self.open) and isinstance(self.open[-1].value, dict) and self.open[-1].key is None

    def _alias(self, event: yaml.AliasEvent) -> None:
        self._reject_reuse(event)
        if self._awaits_key():
            self.open[-1].key, self.open[-1].spoiled = f"*{event.anchor}", True
        else:
            self._place(event, None)

    def _scalar(self, event: yaml.ScalarEvent) -> bool:
        if self._awaits_key():
            self._key(self.open[-1], event)
            return True
        is_plain = event.implicit[0]  # not quoted
        text = event.value if is_plain else Quoted(event.value)
        self._place(event, None if is_plain and not text else text)
        return True

    def _key(self, top: _Open, event: yaml.ScalarEvent) -> None:
        top.key = event.value
        top.spoiled = False
        path = (*top.path, event.value)
        if event.value == "<<" and event.implicit[0]:
            hint = "remove this key, and write the merged keys instead"
            self.find("E0006", event, "merge keys (<<) are not allowed", hint, path)
            top.spoiled = True
        elif event.value in top.value:
            self._twice(top, event, path)
            top.spoiled = True
        else:
            self.document.source.places[path] = _place_of(event)

    def _twice(self, top: _Open, event: yaml.ScalarEvent, path: KeyPath) -> None:
        """In an item of a list several such keys are one finding: they are another item, most likely."""
        first = self.document.source.places[path][0]
        top.twice.append(event.value)
        is_item = bool(top.path) and isinstance(top.path[-1], int)
        if len(top.twice) == 1 or not is_item:
            message = f"duplicate key {event.value}, first on line {first}"
            self.find("E0005", event, message, "keep one", path)
            return
        self.document.doubtful.append(top.path)
        *others, last = dict.fromkeys(top.twice)
        findings = self.document.findings
        position = next(n for n in reversed(range(len(findings))) if findings[n].id == "E0005")
        message = f"duplicate keys {', '.join(others)} and {last}"
        hint = f'write "- " before {top.twice[0]} if the next item begins here; else keep one of each'
        findings[position] = Finding("E0005", findings[position].location, message, hint)

    def _place(self, event: yaml.Event, value: Any) -> KeyPath:
        """Puts a value where it belongs; returns its path."""
        if not self.open:
            self.document.tree = value
            self.document.source.places.setdefault((), _place_of(event))
            return ()
        top = self.open[-1]
        if isinstance(top.value, list):
            path = (*top.path, len(top.value))
            top.value.append(value)
            self.document.source.places[path] = _place_of(event)
            return path
        key, top.key = top.key or "", None
        if top.spoiled:
            return (*top.path, key, "(second)")
        top.value[key] = value
        return (*top.path, key)

    def _reject_reuse(self, event: yaml.NodeEvent) -> None:
        if isinstance(event, yaml.AliasEvent):
            name, hint = f"alias *{event.anchor}", "write the value that it refers to instead"
        else:
            name = f"anchor &{event.anchor}"
            hint = f"remove &{event.anchor}, and write the value in place of each *{event.anchor}"
        self.find("E0006", event, f"{name} is not allowed", hint)
