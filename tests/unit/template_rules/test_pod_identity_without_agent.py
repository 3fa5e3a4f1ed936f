"""Who hands out the credentials of a Pod Identity association."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.template_rules.run import check_templates

AGENT: dict[str, Any] = {
    "Type": "AWS::EKS::Addon",
    "Properties": {"AddonName": "eks-pod-identity-agent", "ClusterName": {"Ref": "Cluster"}},
}
ASSOCIATION = {
    "Type": "AWS::EKS::PodIdentityAssociation",
    "Properties": {"ClusterName": {"Ref": "Cluster"}, "Namespace": "n", "ServiceAccount": "s", "RoleArn": "arn"},
}


def found(**resources: Any) -> list[str]:
    bodies = {"Association": ASSOCIATION, **resources}
    return [each.id for each in check_templates({"stack": {"Resources": bodies}}, load_catalog()) if each.id == "E8242"]


def cluster(**properties: Any) -> dict[str, Any]:
    return {"Type": "AWS::EKS::Cluster", "Properties": properties}


@pytest.mark.parametrize(
    "agent",
    [
        {"Cluster": cluster(), "Agent": AGENT},
        {"Cluster": cluster(ComputeConfig={"Enabled": True})},
        {"Cluster": {"Type": "AWS::SSM::Parameter", "Properties": {}}, "Agent": AGENT},
    ],
)
def test_the_agent_is_an_addon_or_a_part_of_auto_mode(agent: dict[str, Any]) -> None:
    assert found(**agent) == []


def test_the_agent_of_another_cluster_does_not_count() -> None:
    other = {**AGENT, "Properties": {**AGENT["Properties"], "ClusterName": {"Ref": "Other"}}}
    assert found(Cluster=cluster(), Other=cluster(), Agent=other) == ["E8242"]


def test_a_cluster_that_is_made_elsewhere_may_have_one() -> None:
    assert found() == []
