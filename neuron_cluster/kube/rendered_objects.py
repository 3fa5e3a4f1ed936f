"""The Kubernetes objects in YAML text, such as helm renders it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from neuron_cluster.errors import ToolkitError
from neuron_cluster.kube.kubernetes_yaml import yaml_documents


class UnreadableManifest(ToolkitError):
    """Text that is no YAML, holds a key twice, or is no list of Kubernetes objects."""


def rendered_objects(text: str, shown_as: str = "the rendered text") -> tuple[Mapping[str, Any], ...]:
    """The Kubernetes objects in a stream of YAML documents; empty documents are left out, lists taken apart.

    ``shown_as`` is what messages call the text. Raises ``UnreadableManifest`` with the line when it cannot be read.
    """
    try:
        documents = yaml_documents(text)
    except yaml.YAMLError as error:
        raise UnreadableManifest(f"{shown_as} cannot be read as YAML: {error}") from error
    objects: list[Mapping[str, Any]] = []
    for number, document in enumerate(documents, start=1):
        if document is not None:
            objects += _objects(document, f"{shown_as}: document {number}")
    return tuple(objects)


def _objects(body: Any, place: str) -> Iterable[Mapping[str, Any]]:
    if not isinstance(body, Mapping):
        raise UnreadableManifest(f"{place} is no Kubernetes object, but {str(body)[:80]!r}")
    missing = [key for key in ("apiVersion", "kind") if not isinstance(body.get(key), str)]
    if missing:
        raise UnreadableManifest(f"{place} is no Kubernetes object: it has no {' and no '.join(missing)}")
    if body["kind"] != "List":
        return [body]
    items = body.get("items") or []
    if not isinstance(items, list):
        raise UnreadableManifest(f"{place} is a List whose items are no list, but {str(items)[:80]!r}")
    return [each for number, item in enumerate(items, start=1) for each in _objects(item, f"{place}, item {number}")]
