"""YAML text becomes a plain tree of mappings, lists and the *texts* of scalars, with the place of everything.

Works on the parser's events instead of PyYAML's constructors: no type is guessed, nesting is bounded, and what a
configuration file has no use for (aliases, merge keys, tags, several documents) is a finding, not a surprise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml

from neuron_cluster.config.free_values import Quoted
from neuron_cluster.config.source_map import KeyPath, SourceMap, spelled
from neuron_cluster.findings import Finding, Location

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

DEEPEST = 20
"""Levels of nesting that are read; the model needs seven."""


@dataclass
class _Open:
    """A mapping or list that is still being read."""

    path: KeyPath
    value: dict[str, Any] | list[Any]
    key: str | None = None
    spoiled: bool = False
    """The key stands here twice: what follows it is read and thrown away."""


@dataclass
class Document:
    """What a file holds. ``tree`` is ``None`` when nothing of it can be used."""

    source: SourceMap
    tree: Any = None
    findings: list[Finding] = field(default_factory=list)


def read_document(text: str, file: str) -> Document:
    """Reads YAML text. Every mistake is in ``findings``; nothing is raised."""
    reader = _Reader(Document(SourceMap(file)))
    try:
        for event in yaml.parse(text, Loader=Loader):
            if not reader.take(event):
                break
    except yaml.YAMLError as error:
        reader.document.findings.append(_not_yaml(error, text, file))
        reader.document.tree = None
        return reader.document
    if not reader.document.findings and reader.document.tree is None:
        reader.find("E0004", None, "the file is empty", "start from a file in environments/, or from `schema: 1`")
    return reader.document


def _place_of(event: yaml.Event) -> tuple[int, int]:
    """Line and column, counted from 1."""
    mark = event.start_mark
    return (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)


def _not_yaml(error: yaml.YAMLError, text: str, file: str) -> Finding:
    mark = getattr(error, "problem_mark", None)
    last = len(text.splitlines())
    if mark is None:
        place = Location(file)
    elif mark.line < last:
        place = Location(file, mark.line + 1, mark.column + 1)
    else:  # the parser read on to the end, where nothing is to be seen
        place = Location(file, last, 1)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return Finding(
        "E0003", place, f"not YAML: {problem}", "check indentation, colons and quotes on this line and the one above"
    )


class _Reader:
    """Builds the tree from parser events, one open container at a time."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.open: list[_Open] = []
        self.documents = 0

    def find(self, finding_id: str, event: yaml.Event | None, message: str, hint: str, path: KeyPath = ()) -> None:
        line, column = _place_of(event) if event is not None else (0, 0)
        place = Location(self.document.source.file, line, column, spelled(path))
        self.document.findings.append(Finding(finding_id, place, message, hint))

    def take(self, event: yaml.Event) -> bool:
        """Reads one event; ``False`` means that the rest of the file is of no use."""
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                self.find("E0004", event, "a second YAML document begins here", "keep one environment in one file")
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
            self._refuse_reuse(event)
        if tag := getattr(event, "tag", None):
            self.find("E0006", event, f"the tag {tag} is not allowed", "remove the tag; types come from the schema")
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if len(self.open) >= DEEPEST:
            self.find("E0007", event, f"nested deeper than {DEEPEST} levels", "the schema needs seven levels at most")
            return False
        value: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
        if self._awaits_key():
            self.find("E0003", event, "a mapping or list stands where a key is expected", "keys are plain words")
            return False
        path = self._place(event, value)
        self.open.append(_Open(path, value))
        return True

    def _awaits_key(self) -> bool:
        """Whether what comes next is a key of a mapping."""
        return bool(self.open) and isinstance(self.open[-1].value, dict) and self.open[-1].key is None

    def _alias(self, event: yaml.AliasEvent) -> None:
        self._refuse_reuse(event)
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
            self.find("E0006", event, "merge keys (<<) are not allowed", "write the keys out", path)
            top.spoiled = True
        elif event.value in top.value:
            first = self.document.source.places[path][0]
            self.find(
                "E0005", event, f"the key {event.value} stands here twice, first on line {first}", "keep one", path
            )
            top.spoiled = True
        else:
            self.document.source.places[path] = _place_of(event)

    def _place(self, event: yaml.Event, value: Any) -> KeyPath:
        """Puts a value where it belongs and says where that is."""
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

    def _refuse_reuse(self, event: yaml.NodeEvent) -> None:
        kind = "alias *" if isinstance(event, yaml.AliasEvent) else "anchor &"
        self.find("E0006", event, f"{kind}{event.anchor} is not allowed", "write the value out where it is used")
