"""Reads the YAML that helm renders the way a Kubernetes client reads it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml
from yaml.constructor import ConstructorError
from yaml.nodes import MappingNode, ScalarNode

from neuron_cluster.errors import ToolkitError

try:
    from yaml import CSafeLoader as BaseLoader
except ImportError:  # PyYAML can be built without LibYAML; its own loader does the same, slower
    from yaml import SafeLoader as BaseLoader  # type: ignore[assignment]  # two classes with one interface


class UnreadableManifest(ToolkitError):
    """Rendered text that is no YAML, holds a key twice, or is no list of Kubernetes objects."""


class _ManifestLoader(BaseLoader):
    """YAML as Kubernetes reads it: no dates, no numbers in base 60 (``22:22``), ``=`` is a text, no key twice."""


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


def _mapping(loader: _ManifestLoader, node: MappingNode) -> dict[Any, Any]:
    # A key may stand in what is merged in as well as here; that is why merging comes after.
    keys = [key for key, _ in node.value if isinstance(key, ScalarNode)]
    for position, key in enumerate(keys):
        if any(key.value == before.value and key.tag == before.tag for before in keys[:position]):
            raise ConstructorError(None, None, f"the key {key.value!r} stands here twice", key.start_mark)
    loader.flatten_mapping(node)
    return loader.construct_mapping(node, deep=True)


_ManifestLoader.add_constructor("tag:yaml.org,2002:map", _mapping)


def rendered_objects(text: str) -> tuple[Mapping[str, Any], ...]:
    """The Kubernetes objects in a stream of YAML documents; empty documents are left out, lists taken apart.

    Raises ``UnreadableManifest`` with the line when it cannot be read.
    """
    try:
        documents = list(yaml.load_all(text, Loader=_ManifestLoader))
    except yaml.YAMLError as error:
        raise UnreadableManifest(f"the rendered text cannot be read as YAML: {error}") from error
    objects: list[Mapping[str, Any]] = []
    for document in documents:
        if document is None:
            continue
        if not isinstance(document, Mapping) or "kind" not in document or "apiVersion" not in document:
            raise UnreadableManifest(f"the rendered text holds what is no Kubernetes object: {str(document)[:80]}")
        objects += document.get("items") or [] if document["kind"] == "List" else [document]
    return tuple(objects)
