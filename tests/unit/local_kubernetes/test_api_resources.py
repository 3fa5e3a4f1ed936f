"""The data of built-in resources says what Kubernetes has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import kubernetes_validate
import pytest

from local_kubernetes.model.api_resources import DATA, groups_of, is_built_in, is_cluster_scoped, resources_of, verbs
from neuron_cluster.catalog.catalog import load_catalog

SUPPORTED = [row.name for row in load_catalog().kubernetes_versions if row.kubectl_layer is not None]
NEVER_STORED = re.compile(r".*List|.*Options|Eviction|Scale|Status|TokenRequest|WatchEvent")
"""Kinds of answers and subresources, to which no right is given by their own name."""


@pytest.mark.parametrize("version", SUPPORTED)
def test_every_kind_of_a_supported_version_is_known(version: str) -> None:
    folder = Path(kubernetes_validate.__file__).parent / "kubernetes-json-schema" / f"v{version}.0-local-strict"
    definitions = json.loads((folder / "_definitions.json").read_text())["$defs"]
    kinds = {
        (entry["group"], entry["kind"])
        for definition in definitions.values()
        for entry in definition.get("x-kubernetes-group-version-kind", ())
        if "metadata" in definition.get("properties", {}) and not entry["version"].startswith("v1alpha")
    }
    unknown = {
        (group, kind)
        for group, kind in kinds
        if not NEVER_STORED.fullmatch(kind) and kind not in (resources_of(group) or {}).values()
    }
    assert unknown == set()


def test_a_resource_is_the_plural_of_its_kind() -> None:
    groups = json.loads(DATA.read_text())
    odd = {
        (resource, kind)
        for section in ("groups", "custom_groups")
        for group in groups[section]
        for resource, kind in (resources_of(group) or {}).items()
        if resource not in (kind.lower(), f"{kind.lower()}s", f"{kind.lower()}es", f"{kind.lower()[:-1]}ies")
    }
    assert odd == {("nodes", "NodeMetrics"), ("pods", "PodMetrics")}


def test_groups_and_scopes() -> None:
    assert groups_of("jobs") == ["batch"]
    assert is_built_in("apps")
    assert not is_built_in("keda.sh")
    assert is_cluster_scoped({"apiVersion": "v1", "kind": "Namespace"})
    assert is_cluster_scoped({"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue"})
    assert not is_cluster_scoped({"apiVersion": "example.com/v1", "kind": "Thing"})
    assert "read" not in verbs()
