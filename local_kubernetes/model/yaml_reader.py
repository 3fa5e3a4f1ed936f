"""YAML as Kubernetes clients and Helm read it: manifests, chart values, a kubeconfig (ADR 19)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import yaml
from yaml.constructor import ConstructorError
from yaml.nodes import MappingNode, ScalarNode

try:
    from yaml import CSafeLoader as BaseLoader
except ImportError:  # PyYAML can be built without LibYAML; its own loader does the same, slower
    from yaml import SafeLoader as BaseLoader  # type: ignore[assignment]  # two classes with one interface

DEEPEST = 100
"""Levels of nesting that are read. LibYAML's composer has no bound of its own and ends the process."""
MAX_NODES_BY_ALIASES = 100_000
"""Values that aliases of a stream may expand to: nine aliases of nine aliases, ten levels deep, expand to billions."""


class _ManifestLoader(BaseLoader):
    """Only JSON's types: no dates, no sexagesimal numbers (``22:22``), no duplicate keys; ``=`` is a string."""


NOT_AS_IN_YAML_1_1 = ("timestamp", "int", "float", "value")
_ManifestLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag.rpartition(":")[2] not in NOT_AS_IN_YAML_1_1]
    for first, resolvers in BaseLoader.yaml_implicit_resolvers.items()
}
_ManifestLoader.add_implicit_resolver(
    "tag:yaml.org,2002:int",
    re.compile(r"[-+]?(0|0b[01_]+|0x[0-9a-fA-F_]+|0o?[0-7_]+|[1-9][0-9_]*)$"),
    list("-+0123456789"),
)
_ManifestLoader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$|[-+]?\.(inf|Inf|INF)$|\.(nan|NaN|NAN)$"),
    list("-+.0123456789"),
)
NOT_IN_JSON = ("timestamp", "binary", "set", "omap", "pairs")
_ManifestLoader.yaml_constructors = {
    tag: constructor
    for tag, constructor in BaseLoader.yaml_constructors.items()
    if tag is None or tag.rpartition(":")[2] not in NOT_IN_JSON
}


def _mapping(loader: _ManifestLoader, node: MappingNode) -> dict[Any, Any]:
    # A merged mapping (`<<`) may hold the same key: keys are compared before the merge.
    first: dict[tuple[str, str], int] = {}
    for key in (key for key, _ in node.value if isinstance(key, ScalarNode)):
        if (key.tag, key.value) in first:
            where = f"first defined on line {first[key.tag, key.value]}"
            raise ConstructorError(None, None, f"duplicate key {key.value!r} ({where})", key.start_mark)
        first[key.tag, key.value] = key.start_mark.line + 1
    loader.flatten_mapping(node)
    return loader.construct_mapping(node, deep=True)


_ManifestLoader.add_constructor("tag:yaml.org,2002:map", _mapping)


def yaml_documents(text: str) -> list[Any]:
    """The documents of a stream, in JSON's types; None for an empty document.

    Raises ``yaml.YAMLError``, also where PyYAML raises a ValueError or LookupError.
    """
    try:
        _check_limits(text)
        return list(yaml.load_all(text, Loader=_ManifestLoader))
    except (ValueError, LookupError) as error:  # a scalar that does not match its tag, such as `!!int many`
        raise yaml.YAMLError(f"a value cannot be read: {error}") from error


def yaml_document(text: str) -> Any:
    """The one document of a file; None for an empty file. Raises ``yaml.YAMLError``."""
    documents = yaml_documents(text)
    if len(documents) > 1:
        raise yaml.YAMLError(f"it holds {len(documents)} documents, one is expected")
    return next(iter(documents), None)


@dataclass
class _Extent:
    """The size of a node with every alias expanded."""

    anchor: str | None = None
    values: int = 1
    levels: int = 0

    def holds(self, inner: _Extent) -> None:
        self.values += inner.values
        self.levels = max(self.levels, inner.levels + 1)


def _check_limits(text: str) -> None:
    anchored: dict[str | None, _Extent] = {}
    around: list[_Extent] = [_Extent()]
    by_aliases = 0
    for event in yaml.parse(text, Loader=_ManifestLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            around.append(_Extent(event.anchor))
            node = _Extent()
        elif isinstance(event, yaml.AliasEvent):
            # An unknown anchor is undefined or contains itself: the composer raises an error for both.
            node = anchored.get(event.anchor, _Extent())
            by_aliases += node.values
            around[-1].holds(node)
        elif isinstance(event, (yaml.CollectionEndEvent, yaml.ScalarEvent)):
            node = around.pop() if isinstance(event, yaml.CollectionEndEvent) else _Extent(event.anchor)
            anchored[node.anchor] = node
            around[-1].holds(node)
        else:
            continue
        if len(around) - 1 + node.levels > DEEPEST:
            raise yaml.YAMLError(f"nested deeper than {DEEPEST} levels\n{event.start_mark}")
        if by_aliases > MAX_NODES_BY_ALIASES:
            raise yaml.YAMLError(f"its aliases expand to more than {MAX_NODES_BY_ALIASES:,} values\n{event.start_mark}")
