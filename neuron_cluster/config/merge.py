"""An environment file over its base: one tree, and for each value the file and line that it is written on.

Mappings merge key by key, lists whose items have names merge by ``name``; everything else replaces the value of the
base. ``null`` removes a key.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from neuron_cluster.config.document import Document
from neuron_cluster.config.environment_config import EXTENDS
from neuron_cluster.config.fields import holds_chart_values, kinds_with
from neuron_cluster.config.scalars import Quoted
from neuron_cluster.config.source_map import KeyPath, SourceMap, format_path
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.suggestions import did_you_mean_one_of, suggestions

NULL = "null"
REMOVES_NOTHING = "E1056"


class _Side(Struct):
    """One of the two documents; ``removes`` of the one that extends the other."""

    document: Document
    removes: bool = False


def merge(base: Document, own: Document) -> Document:
    """``own``, which extends ``base``. Both have a mapping. The findings are those of both, and E1056."""
    merger = _Merger(_Side(base), _Side(own, removes=True))
    return merger.document


class _Merger:
    """Builds the merged tree and its places in one walk; recursion is as deep as ``document.DEEPEST``."""

    def __init__(self, base: _Side, own: _Side) -> None:
        self.base, self.own = base, own
        self.source = SourceMap(own.document.source.file)
        self.findings: list[Finding] = []
        self.base_removed: dict[KeyPath, list[KeyPath]] = {}
        for path in base.document.source.removed:
            self.base_removed.setdefault(path[:-1], []).append(path)
        below = {key: value for key, value in base.document.tree.items() if key != EXTENDS}
        tree = self._mappings(below, own.document.tree, (), (), ())
        findings = [*base.document.findings, *own.document.findings, *self.findings]
        self.document = Document(self.source, tree, findings, self._doubtful())

    def _doubtful(self) -> list[KeyPath]:
        """The doubtful items of both sides, by their paths in the merged tree."""
        sides = (self.base.document, self.own.document)
        written = {side.source.origin(path) for side in sides for path in side.doubtful}
        return [path for path, origin in self.source.origins.items() if origin in written] if written else []

    def _note(self, side: _Side, at: KeyPath, to: KeyPath) -> None:
        source = side.document.source
        if place := source.places.get(at):
            self.source.places[to] = place
            self.source.origins[to] = source.origin(at)

    def _note_removed(self, at: KeyPath, to: KeyPath) -> None:
        """Keys that the base removes from a base of its own."""
        for path in self.base_removed.get(at, ()):
            here = (*to, path[-1])
            self.source.removed[here] = self.base.document.source.removed[path]
            self.source.origins[here] = self.base.document.source.origin(path)

    def _merged(self, base: Any, own: Any, at_base: KeyPath, at_own: KeyPath, to: KeyPath) -> Any:
        if isinstance(base, dict) and isinstance(own, dict) and not _is_other_kind(base, own, to):
            return self._mappings(base, own, at_base, at_own, to)
        if _names(base) and _names(own):
            return self._lists(base, own, at_base, at_own, to)
        return self._copied(self.own, own, at_own, to)

    def _mappings(
        self, base: dict[str, Any], own: dict[str, Any], at_base: KeyPath, at_own: KeyPath, to: KeyPath
    ) -> dict[str, Any]:
        """Keys in the order of the base, then those that it does not have."""
        self._note(self.own, at_own, to)
        self._note_removed(at_base, to)
        tree: dict[str, Any] = {}
        for key, value in base.items():
            here = (*to, key)
            if key not in own:
                tree[key] = self._copied(self.base, value, (*at_base, key), here)
            elif _removes(own[key], here):
                self.source.removed[here] = self.own.document.source.places[*at_own, key]
            else:
                tree[key] = self._merged(value, own[key], (*at_base, key), (*at_own, key), here)
        added = {key: value for key, value in own.items() if key not in base}
        return tree | self._added(added, base, at_own, to)

    def _added(self, added: dict[str, Any], base: dict[str, Any], at: KeyPath, to: KeyPath) -> dict[str, Any]:
        """Keys of the file that extends, without those that are null: each of those is a finding."""
        tree: dict[str, Any] = {}
        for key, value in added.items():
            if _removes(value, (*to, key)):
                self._report_removal((*at, key), (*to, key), base)
            else:
                self.source.removed.pop((*to, key), None)
                tree[key] = self._copied(self.own, value, (*at, key), (*to, key))
        return tree

    def _report_removal(self, at: KeyPath, to: KeyPath, base: dict[str, Any]) -> None:
        name = format_path(to)
        near = did_you_mean_one_of(str(to[-1]), base)
        hint = f'{near}remove the line; for the text null write "null"'
        place = self.source.location(self.source.file, self.own.document.source.places[at], to)
        message = f"{name} is null, which removes a key of the base, and no base has {name}"
        if to in self.source.removed:
            hint = "remove the line"
            message = f"{name} is null, which removes a key of the base; {self.source.origin(to).file} has removed it"
        self.findings.append(Finding(REMOVES_NOTHING, place, message, hint))

    def _lists(self, base: list[Any], own: list[Any], at_base: KeyPath, at_own: KeyPath, to: KeyPath) -> list[Any]:
        """Items of the base in its order, then those with new names. The second item with one name stays a second."""
        self._note(self.own, at_own, to)
        first = {item["name"]: position for position, item in reversed([*enumerate(own)])}
        items: list[Any] = []
        merged: set[int] = set()
        for position, item in enumerate(base):
            here, beside = (*to, len(items)), first.get(item["name"])
            if beside is None or beside in merged:
                items.append(self._copied(self.base, item, (*at_base, position), here))
                continue
            merged.add(beside)
            items.append(self._mappings(item, own[beside], (*at_base, position), (*at_own, beside), here))
        others = [item["name"] for item in base if item["name"] not in first]
        for position, item in enumerate(own):
            if position not in merged:
                for near in suggestions(item["name"], others)[:1]:
                    self.source.near_names[*to, len(items)] = near
                items.append(self._copied(self.own, item, (*at_own, position), (*to, len(items))))
        return items

    def _copied(self, side: _Side, node: Any, at: KeyPath, to: KeyPath) -> Any:
        self._note(side, at, to)
        if isinstance(node, list):
            return [self._copied(side, item, (*at, position), (*to, position)) for position, item in enumerate(node)]
        if not isinstance(node, dict):
            return node
        if side.removes:
            return self._added(node, {}, at, to)
        self._note_removed(at, to)
        return {key: self._copied(side, value, (*at, key), (*to, key)) for key, value in node.items()}


def _removes(value: Any, path: KeyPath) -> bool:
    """Whether it is ``null`` without quotes. In values of a chart it is a value: Helm removes the chart's default."""
    return value == NULL and not isinstance(value, Quoted) and not holds_chart_values(path)


def _is_other_kind(base: dict[str, Any], own: dict[str, Any], path: KeyPath) -> bool:
    """Whether keys of the base belong to another kind of a union, such as `capacity`."""
    both = "kind" in base and "kind" in own
    return both and bool(base["kind"] != own["kind"]) and bool(kinds_with(path, "kind"))


def _names(node: Any) -> list[str]:
    """The names of the items of a list; none where one has no name, or there are none."""
    items = node if isinstance(node, list) else []
    named = [item["name"] for item in items if isinstance(item, dict) and isinstance(item.get("name"), str)]
    return named if len(named) == len(items) else []
