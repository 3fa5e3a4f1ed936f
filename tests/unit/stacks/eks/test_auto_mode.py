"""EKS Auto Mode: what it adds to a cluster, and that it is the same cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings, effects
from neuron_cluster.template_rules.run import check_templates

CATALOG = load_catalog()

ON = {"eks.auto_mode": True}
WITH_ENDPOINTS = {"network.endpoints": ["s3", "ecr.api", "sts"]}


@pytest.fixture(scope="module")
def cluster(stack_of: Callable[..., Any]) -> Any:
    return stack_of("train-trn1", "cluster", ON)


def _policies(role: dict[str, Any]) -> list[str]:
    return sorted(str(arn["Fn::Join"][1][-1]).rpartition("/")[2] for arn in role["Properties"]["ManagedPolicyArns"])


def test_the_three_switches_are_on_together(cluster: Any) -> None:
    """EKS refuses a cluster on which only some of them are."""
    (properties,) = [each["Properties"] for each in cluster.find_resources("AWS::EKS::Cluster").values()]
    assert properties["ComputeConfig"]["Enabled"] is True
    assert properties["ComputeConfig"]["NodePools"] == ["general-purpose", "system"]
    assert properties["StorageConfig"] == {"BlockStorage": {"Enabled": True}}
    assert properties["KubernetesNetworkConfig"]["ElasticLoadBalancing"] == {"Enabled": True}
    assert properties["BootstrapSelfManagedAddons"] is False


def test_the_nodes_have_a_role_that_can_join_and_pull_and_nothing_else(cluster: Any) -> None:
    (resource,) = cluster.find_resources("AWS::EKS::Cluster").values()
    logical_id, attribute = resource["Properties"]["ComputeConfig"]["NodeRoleArn"]["Fn::GetAtt"]
    role = cluster.to_json()["Resources"][logical_id]
    assert attribute == "Arn"
    assert _policies(role) == ["AmazonEC2ContainerRegistryPullOnly", "AmazonEKSWorkerNodeMinimalPolicy"]


def test_the_control_plane_may_do_what_auto_mode_does(cluster: Any) -> None:
    (resource,) = cluster.find_resources("AWS::EKS::Cluster").values()
    role = cluster.to_json()["Resources"][resource["Properties"]["RoleArn"]["Fn::GetAtt"][0]]
    assert _policies(role) == [
        "AmazonEKSBlockStoragePolicy",
        "AmazonEKSClusterPolicy",
        "AmazonEKSComputePolicy",
        "AmazonEKSLoadBalancingPolicy",
        "AmazonEKSNetworkingPolicy",
    ]
    (trust,) = role["Properties"]["AssumeRolePolicyDocument"]["Statement"]
    assert trust["Action"] == ["sts:AssumeRole", "sts:TagSession"]


@pytest.mark.parametrize(("before", "after"), [({}, ON), (ON, {})])
def test_turning_it_on_or_off_replaces_nothing(
    before: dict[str, Any], after: dict[str, Any], templates_of: Callable[..., Any]
) -> None:
    old = {f"train-trn1-{stack_key}": template for stack_key, template in templates_of("train-trn1", before).items()}
    new = {f"train-trn1-{stack_key}": template for stack_key, template in templates_of("train-trn1", after).items()}
    kinds = {str(each.address): each.kind.value for each in effects(old, new, CATALOG)}
    role = "added" if after else "removed"
    assert sorted(kinds.values()) == sorted([role, "updated in place", "updated in place"])
    assert all(address.startswith("train-trn1-cluster") for address in kinds)
    assert change_findings(old, new, CATALOG) == []


def test_its_nodes_reach_interface_endpoints_by_address(stack_of: Callable[..., Any]) -> None:
    """They carry the cluster's own group alone, which no rule of the network stack can name."""
    rule = {"Properties": {"CidrIp": "10.20.0.0/16", "FromPort": 443, "ToPort": 443}}
    network = stack_of("train-trn1", "network", ON | WITH_ENDPOINTS)
    (found,) = network.find_resources("AWS::EC2::SecurityGroupIngress", rule).values()
    assert found["Properties"]["GroupId"]["Fn::GetAtt"][0].startswith("Groupsendpoint")
    for edits in (ON, WITH_ENDPOINTS):
        assert stack_of("train-trn1", "network", edits).find_resources("AWS::EC2::SecurityGroupIngress", rule) == {}


def test_no_law_finds_anything(templates_of: Callable[..., Any]) -> None:
    assert check_templates(templates_of("train-trn1", ON | WITH_ENDPOINTS), CATALOG, region="us-west-2") == []
