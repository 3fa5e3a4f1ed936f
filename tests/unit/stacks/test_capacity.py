"""Each way to buy in the templates, and what it takes to go from one block to the next."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings, effects

CATALOG = load_catalog()

Templates = Callable[..., Mapping[str, Any]]
TRN2 = "eks.node_groups.1"
GROUP = "arn:aws:resource-groups:us-east-2:111122223333:group/trn2"
FIRST = {
    "kind": "capacity_block",
    "reservation_id": "cr-0123456789abcdef0",
    "starts": "2026-12-01T11:30:00Z",
    "ends": "2026-12-08T11:30:00Z",
}
NEXT = {
    **FIRST,
    "reservation_id": "cr-0fedcba9876543210",
    "starts": "2026-12-08T11:30:00Z",
    "ends": "2026-12-15T11:30:00Z",
}


@pytest.fixture(scope="module")
def template_and_group(template_of: Callable[..., Any]) -> Callable[..., tuple[dict[str, Any], dict[str, Any]]]:
    """Launch template data and properties of the Neuron group of train-trn2 with this way to buy."""

    def made(capacity: Mapping[str, str], **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        edits = {f"{TRN2}.capacity": capacity} | {f"{TRN2}.{key}": value for key, value in more.items()}
        resources = template_of("train-trn2", "nodes", edits)["Resources"].values()
        data = [each["Properties"].get("LaunchTemplateData", {}) for each in resources]
        (wanted,) = [each for each in data if each.get("InstanceType", "").startswith("trn2")]
        groups = [each["Properties"] for each in resources if each["Type"] == "AWS::EKS::Nodegroup"]
        (group,) = [each for each in groups if each["Labels"]["neuron-cluster/node-group"] == "trn2"]
        return wanted, group

    return made


@pytest.mark.parametrize(
    ("capacity", "specification"),
    [
        (
            {"kind": "reservation", "resource_group": GROUP},
            {"CapacityReservationTarget": {"CapacityReservationResourceGroupArn": GROUP}},
        ),
        ({"kind": "reservation", "match": "open"}, {"CapacityReservationPreference": "open"}),
    ],
)
def test_reservations_are_on_demand_with_one_target_or_a_preference(
    template_and_group: Any, capacity: Mapping[str, str], specification: Mapping[str, Any]
) -> None:
    data, group = template_and_group(capacity)
    assert data["CapacityReservationSpecification"] == specification
    assert group["CapacityType"] == "ON_DEMAND"
    assert {"InstanceMarketOptions", "Placement"} & set(data) == set()


def test_a_block_of_ultraservers_is_asked_for_as_a_block_of_instances(template_and_group: Any) -> None:
    capacity = {"kind": "ultraserver_block", "ultraserver": "u-trn2x64", "reservation_id": "cr-0123456789abcdef0"}
    data, group = template_and_group(capacity, instance_type="trn2u.48xlarge")
    assert data["InstanceMarketOptions"] == {"MarketType": "capacity-block"}
    target = {"CapacityReservationId": "cr-0123456789abcdef0"}
    assert data["CapacityReservationSpecification"] == {"CapacityReservationTarget": target}
    assert (group["CapacityType"], "InstanceTypes" in group) == ("CAPACITY_BLOCK", False)


def test_the_next_block_changes_the_launch_template_and_nothing_else(templates_of: Templates) -> None:
    before = copy.deepcopy(templates_of("train-trn2", {f"{TRN2}.capacity": FIRST}))
    after = copy.deepcopy(templates_of("train-trn2", {f"{TRN2}.capacity": NEXT}))
    assert [stack_key for stack_key in before if before[stack_key] != after[stack_key]] == ["nodes"]
    old, new = before["nodes"]["Resources"], after["nodes"]["Resources"]
    (changed,) = [name for name in new if new[name] != old[name]]
    assert new[changed]["Type"] == "AWS::EC2::LaunchTemplate"
    specification = new[changed]["Properties"]["LaunchTemplateData"].pop("CapacityReservationSpecification")
    old[changed]["Properties"]["LaunchTemplateData"].pop("CapacityReservationSpecification")
    assert specification == {"CapacityReservationTarget": {"CapacityReservationId": NEXT["reservation_id"]}}
    assert new[changed] == old[changed]


@pytest.mark.parametrize(("desired", "refused"), [(0, []), (4, ["E9018"])])
def test_a_deploy_of_the_next_block_replaces_nothing(templates_of: Templates, desired: int, refused: list[str]) -> None:
    """The template gets a version, which the group takes while it has no nodes; no name holds the reservation."""
    edits = {f"{TRN2}.count.desired": desired}
    before = templates_of("train-trn2", edits | {f"{TRN2}.capacity": FIRST}, "nodes")
    after = templates_of("train-trn2", edits | {f"{TRN2}.capacity": NEXT}, "nodes")
    found = effects(before, after, CATALOG)
    assert {effect.kind.value for effect in found} == {"updated in place"}
    assert sorted(effect.type for effect in found) == ["AWS::EC2::LaunchTemplate", "AWS::EKS::Nodegroup"]
    assert [finding.id for finding in change_findings(before, after, CATALOG)] == refused


def test_the_next_block_with_other_sizes_scales_its_group_and_its_queue_alone(templates_of: Templates) -> None:
    before = dict(templates_of("train-trn2", {f"{TRN2}.capacity": FIRST}))
    after = dict(templates_of("train-trn2", {f"{TRN2}.capacity": NEXT, f"{TRN2}.count.desired": 2}))
    assert sorted(effect.type for effect in effects(before, after, CATALOG)) == [
        "AWS::EC2::LaunchTemplate",
        "AWS::EKS::Nodegroup",
        "Custom::AWSCDK-EKS-KubernetesResource",
    ]
