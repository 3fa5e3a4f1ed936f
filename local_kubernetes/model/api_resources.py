"""Which resources Kubernetes has, and which custom ones this toolkit uses: group, plural name, kind, scope, verbs."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from local_kubernetes.model.fields import at, text

DATA = Path(__file__).parent / "data" / "api_resources.json"


@functools.cache
def _data() -> Mapping[str, Any]:
    read: Mapping[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return read


def verbs() -> frozenset[str]:
    """Valid verbs of an RBAC rule."""
    return frozenset(_data()["verbs"])


def subresources() -> frozenset[str]:
    """Subresources, which follow a resource's name: ``log`` of ``pods/log``."""
    return frozenset(_data()["subresources"])


def resources_of(group: str) -> Mapping[str, str] | None:
    """Plural name to kind; None for a group that is not known here."""
    scopes = (_data()["groups"] | _data()["custom_groups"]).get(group)
    return None if scopes is None else scopes["namespaced"] | scopes["cluster"]


def groups_of(resource: str) -> list[str]:
    """The known groups that have a resource of this plural name."""
    return [group for group in _data()["groups"] | _data()["custom_groups"] if resource in (resources_of(group) or {})]


def is_built_in(group: str) -> bool:
    """Whether Kubernetes itself serves the group."""
    return group in _data()["groups"]


@functools.cache
def _cluster_scoped() -> frozenset[tuple[str, str]]:
    groups = _data()["groups"] | _data()["custom_groups"]
    return frozenset((group, kind) for group, scopes in groups.items() for kind in scopes["cluster"].values())


def is_cluster_scoped(body: Mapping[str, Any]) -> bool:
    """Whether the object belongs to no namespace; an unknown kind is taken for a namespaced one."""
    group = (text(at(body, "apiVersion")) or "").rpartition("/")[0]
    return (group, text(at(body, "kind")) or "") in _cluster_scoped()
