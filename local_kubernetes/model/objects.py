"""A Kubernetes object, with the namespace that it is created in."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from local_kubernetes.model.fields import at, text, text_pairs

HOOK = "helm.sh/hook"
"""The annotation of objects that Helm creates at a step of the release, and not as a part of it
(https://helm.sh/docs/topics/charts_hooks/)."""


class KubernetesObject(Struct, frozen=True, dict=True):
    """``namespace`` is its own or the release's; empty for a cluster-scoped object.

    Every rule reads kind and name: they are computed once, and kept in the ``dict``.
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
        """The object in the path of a finding: ``Deployment/server``."""
        return f"{self.kind}/{self.name}"

    @property
    def workload(self) -> str:
        """The object as its pods name it in ``PodInfo.owner``: ``Deployment team-a/server``."""
        return f"{self.kind} {self.namespace}/{self.name}"

    @property
    def hooks(self) -> frozenset[str]:
        """``test``, ``pre-install``, …; empty for an object of the release itself."""
        hooks = text(at(self.body, "metadata", "annotations", HOOK)) or ""
        return frozenset(word.strip() for word in hooks.split(",") if word.strip())


def labels_of(tree: Any) -> dict[str, str]:
    """``metadata.labels`` of an object or template, without values that are not strings."""
    return text_pairs(at(tree, "metadata", "labels"))
