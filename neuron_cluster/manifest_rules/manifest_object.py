"""One rendered Kubernetes object, and where it stands."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.template_rules.property_tree import at, items, text

HOOK = "helm.sh/hook"
"""The annotation that makes an object part of a release's course instead of the release
(https://helm.sh/docs/topics/charts_hooks/)."""


class ManifestObject(Struct, frozen=True, dict=True):
    """``namespace`` is where it lands: its own, or the release's; empty for an object of the whole cluster.

    Every rule asks who it is: what answers is looked up once, and kept in the ``dict``.
    """

    body: Mapping[str, Any]
    namespace: str

    @functools.cached_property
    def kind(self) -> str:
        return text(at(self.body, "kind")) or ""

    @functools.cached_property
    def api_group(self) -> str:
        """``apps`` for ``apps/v1``; empty for the core group."""
        return (text(at(self.body, "apiVersion")) or "").rpartition("/")[0]

    @functools.cached_property
    def name(self) -> str:
        return text(at(self.body, "metadata", "name")) or ""

    @property
    def place(self) -> str:
        """How a finding says which object: ``Deployment/server``."""
        return f"{self.kind}/{self.name}"

    @property
    def hooks(self) -> frozenset[str]:
        """``test``, ``pre-install``, …; empty for an object of the release itself."""
        said = text(at(self.body, "metadata", "annotations", HOOK)) or ""
        return frozenset(word.strip() for word in said.split(",") if word.strip())


def labels_of(tree: Any) -> dict[str, str]:
    """``metadata.labels`` of an object or template, as far as they are text."""
    return text_pairs(at(tree, "metadata", "labels"))


def text_pairs(tree: Any) -> dict[str, str]:
    """A map of text to text; what is not text is left to the schema."""
    pairs = tree.items() if isinstance(tree, Mapping) else ()
    return {key: value for key, value in pairs if isinstance(key, str) and isinstance(value, str)}


def numbered(tree: Any, path: str) -> list[tuple[str, Any]]:
    """The items of a list, each with its path: ``ports[0]``."""
    return [(f"{path}[{position}]", item) for position, item in enumerate(items(tree))]
