"""Managed add-ons: who needs a role, who needs nodes."""

import json

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.version import version_key

CATALOG = load_catalog()


@pytest.mark.parametrize("name", ["vpc-cni", "kube-proxy", "eks-pod-identity-agent", "eks-node-monitoring-agent"])
def test_what_runs_on_every_node_becomes_active_without_one(name: str) -> None:
    addon = CATALOG.managed_addons.get(name)
    assert addon is not None
    assert not addon.needs_nodes


@pytest.mark.parametrize("name", ["coredns", "aws-ebs-csi-driver", "aws-fsx-csi-driver", "metrics-server"])
def test_what_is_a_deployment_needs_nodes(name: str) -> None:
    addon = CATALOG.managed_addons.get(name)
    assert addon is not None
    assert addon.needs_nodes


def test_those_that_call_aws_need_pod_identity() -> None:
    assert {addon.name for addon in CATALOG.managed_addons if addon.needs_pod_identity} == {
        "vpc-cni",
        "aws-ebs-csi-driver",
        "aws-efs-csi-driver",
        "aws-fsx-csi-driver",
        "aws-mountpoint-s3-csi-driver",
        "amazon-cloudwatch-observability",
    }


def test_every_managed_policy_is_one_that_aws_has() -> None:
    policies = json.loads(pytest.importorskip("moto.iam.aws_managed_policies").aws_managed_policies_data)
    for addon in CATALOG.managed_addons:
        for policy in addon.managed_policies:
            path, _, name = f"/{policy}".rpartition("/")
            assert policies[name]["Path"] == f"{path}/"


def test_one_addon_enforces_network_policies() -> None:
    first = {addon.name: addon.network_policies_from for addon in CATALOG.managed_addons}
    versions = {name: version_key(version) for name, version in first.items() if version is not None}
    assert versions == {"vpc-cni": (1, 14, 0)}
