"""Kubernetes does not go up without its add-ons."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings

CATALOG = load_catalog()


def stack(version: str, *addons: dict[str, Any]) -> dict[str, Any]:
    """A cluster of this version with its add-ons."""
    cluster = {"Type": "AWS::EKS::Cluster", "Properties": {"Name": "c", "Version": version}}
    made = {
        f"Addon{number}": {"Type": "AWS::EKS::Addon", "Properties": {"ClusterName": "c", **each}}
        for number, each in enumerate(addons)
    }
    return {"x-cluster": {"Resources": {"Cluster": cluster, **made}}}


PROXY, DNS = {"AddonName": "kube-proxy"}, {"AddonName": "coredns"}
PINNED = {"AddonVersion": "v1.36.0-eksbuild.14"}


def test_addons_without_a_version_are_named() -> None:
    (found,) = change_findings(stack("1.35", PROXY, DNS), stack("1.36", PROXY, DNS), CATALOG)
    assert (found.id, found.location.path) == ("E9020", "Cluster")
    assert "from Kubernetes 1.35 to 1.36, and coredns and kube-proxy would stay" in found.message


def test_one_that_the_lock_has_not_seen_is_named_alone() -> None:
    (found,) = change_findings(stack("1.35", PROXY, DNS), stack("1.36", PROXY | PINNED, DNS), CATALOG)
    assert "to 1.36, and coredns would stay" in found.message


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (stack("1.35", PROXY), stack("1.36", PROXY | PINNED)),
        (stack("1.35", PROXY), stack("1.35", PROXY)),
        (stack("1.35", PROXY), stack("1.36")),
        (stack("1.35"), stack("1.36", PROXY)),
    ],
    ids=["locked", "same version", "taken out", "new: EKS takes the default of the new version"],
)
def test_others_are_not_refused(before: Any, after: Any) -> None:
    assert [found.id for found in change_findings(before, after, CATALOG)] == []


def test_of_a_version_that_cannot_be_reached_that_alone_is_told() -> None:
    for version in ("1.37", "1.34"):
        assert [f.id for f in change_findings(stack("1.35", PROXY), stack(version, PROXY), CATALOG)] == ["E9012"]
