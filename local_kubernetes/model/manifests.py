"""Reads Kubernetes objects from YAML text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from local_kubernetes.model.yaml_reader import yaml_documents


class UnreadableManifest(ValueError):
    """Text that is not valid YAML, has a duplicate key, or holds something other than Kubernetes objects."""


def read_manifests(text: str, display_name: str = "the rendered text") -> tuple[Mapping[str, Any], ...]:
    """The Kubernetes objects of a stream of YAML documents, without empty ones, and with the items of a ``List``.

    ``display_name`` names the text in messages. Raises ``UnreadableManifest`` with the line.
    """
    try:
        documents = yaml_documents(text)
    except yaml.YAMLError as error:
        raise UnreadableManifest(f"{display_name} cannot be read as YAML: {error}") from error
    objects: list[Mapping[str, Any]] = []
    for number, document in enumerate(documents, start=1):
        if document is not None:
            objects += _objects(document, f"{display_name}: document {number}")
    return tuple(objects)


def _objects(body: Any, place: str) -> Iterable[Mapping[str, Any]]:
    if not isinstance(body, Mapping):
        raise UnreadableManifest(f"{place} is not a Kubernetes object: {str(body)[:80]!r}")
    missing = [key for key in ("apiVersion", "kind") if not isinstance(body.get(key), str)]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise UnreadableManifest(f"{place} is not a Kubernetes object: {' and '.join(missing)} {verb} missing")
    if body["kind"] != "List":
        return [body]
    items = body.get("items") or []
    if not isinstance(items, list):
        raise UnreadableManifest(f"{place} is a List whose items are not a list: {str(items)[:80]!r}")
    return [each for number, item in enumerate(items, start=1) for each in _objects(item, f"{place}, item {number}")]
