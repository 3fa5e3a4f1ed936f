"""A node group that an edit would carry from one stack to another is refused."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings

CATALOG = load_catalog()

GROUP = {"Type": "AWS::EKS::Nodegroup", "Properties": {"ClusterName": "c", "NodegroupName": "g51-1234abcd"}}
FIRST = {"Type": "AWS::EKS::Nodegroup", "Properties": {"ClusterName": "c", "NodegroupName": "g1-1234abcd"}}


def stacks(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    return {"x-nodes": {"Resources": first}, "x-nodes-2": {"Resources": second}}


def test_a_group_that_goes_to_another_stack_is_refused() -> None:
    before = stacks({"G1": FIRST}, {"G51": GROUP, "G52": FIRST})
    found = change_findings(before, stacks({"G51": GROUP}, {"G52": FIRST}), CATALOG)
    assert [(f.id, f.location.file, f.location.path) for f in found] == [("E9021", "x-nodes", "G51")]
    assert "from the stack x-nodes-2 to x-nodes" in found[0].message


def test_a_group_whose_stack_goes_altogether_is_refused_too() -> None:
    found = change_findings(stacks({"G1": FIRST}, {"G51": GROUP}), {"x-nodes": {"Resources": {"G51": GROUP}}}, CATALOG)
    assert [f.location.path for f in found] == ["G51"]


def test_groups_that_come_and_go_are_not_refused() -> None:
    assert change_findings(stacks({"G1": FIRST}, {"G51": GROUP}), stacks({"G1": FIRST}, {"G52": GROUP}), CATALOG) == []


def test_groups_of_a_renamed_environment_are_in_the_way_of_none() -> None:
    """Another name is another cluster, which imports nothing of the first one."""
    old, new = ({**GROUP, "Properties": {**GROUP["Properties"], "ClusterName": name}} for name in ("c", "d"))
    before, after = {"c-nodes": {"Resources": {"G51": old}}}, {"d-nodes": {"Resources": {"G51": new}}}
    assert [f.id for f in change_findings(before, after, CATALOG) if f.id == "E9021"] == []


OF_SYSTEM = {"Type": "AWS::EKS::Nodegroup", "Properties": {"ClusterName": "c", "NodegroupName": "system-1234abcd"}}
RENAMED = {"Type": "AWS::EKS::Nodegroup", "Properties": {"ClusterName": "c", "NodegroupName": "system-5678abcd"}}
NEURON = {"Taints": [{"Key": "aws.amazon.com/neuron", "Value": "true", "Effect": "NO_SCHEDULE"}]}


def upgraded(old: Any = OF_SYSTEM, new: Any = RENAMED, source: str = "x-nodes", target: str = "x-system") -> Any:
    """Returns the findings when the group Sys moves to another stack, and another one stays."""
    before = {source: {"Resources": {"G1": FIRST, "Sys": old}}}
    after = {source: {"Resources": {"G1": FIRST}}, target: {"Resources": {"Sys": new}}}
    return [(f.id, f.location.file, f.location.path) for f in change_findings(before, after, CATALOG)]


def test_a_system_group_gets_its_own_stack_under_another_name() -> None:
    """The change to a stack of its own: the old group is drained when the new one and the software are up."""
    assert upgraded() == []
    assert upgraded(source="x-nodes-3") == []


@pytest.mark.parametrize(
    "other",
    [
        {"new": OF_SYSTEM},
        {"old": {**OF_SYSTEM, "Properties": OF_SYSTEM["Properties"] | NEURON}},
        {"new": {**RENAMED, "Properties": {"ClusterName": "c"}}},
        {"source": "x-system", "target": "x-nodes"},
        {"source": "y-nodes"},
        {"source": "x-cluster"},
    ],
    ids=["same name", "Neuron devices", "no name", "the way back", "another environment", "another stack"],
)
def test_no_other_move_to_or_from_it_is_taken_for_that(other: Any) -> None:
    assert upgraded(**other) == [("E9021", other.get("target", "x-system"), "Sys")]


def test_a_stack_that_held_nothing_else_goes_after_it() -> None:
    before = {"x-nodes": {"Resources": {"Sys": OF_SYSTEM}}}
    assert [f.id for f in change_findings(before, {"x-system": {"Resources": {"Sys": RENAMED}}}, CATALOG)] == ["W9504"]


def on_reservation(group: dict[str, Any], reservation: str | None) -> dict[str, Any]:
    """The group with its launch template, whose machines are reserved or not."""
    target = {"CapacityReservationTarget": {"CapacityReservationId": reservation}}
    data = {"InstanceType": "m7i.large", **({"CapacityReservationSpecification": target} if reservation else {})}
    of_template = {"LaunchTemplate": {"Id": {"Ref": "Template"}}}
    return {
        "Sys": {**group, "Properties": group["Properties"] | of_template},
        "Template": {"Type": "AWS::EC2::LaunchTemplate", "Properties": {"LaunchTemplateData": data}},
    }


@pytest.mark.hints("E9007")
def test_a_system_group_on_a_reservation_goes_by_way_of_other_machines() -> None:
    """The reservation holds the old nodes when the new ones start."""
    before = {"x-nodes": {"Resources": {"G1": FIRST, **on_reservation(OF_SYSTEM, "cr-1")}}}

    def after(reservation: str | None) -> Any:
        moved = on_reservation(RENAMED, reservation)
        return {"x-nodes": {"Resources": {"G1": FIRST}}, "x-system": {"Resources": moved}}

    (error,) = change_findings(before, after("cr-1"), CATALOG)
    assert error.id == "E9007"
    assert "1. write capacity: {kind: on_demand} for the group and deploy" in error.hint
    assert change_findings(before, after(None), CATALOG) == []
    assert change_findings(after(None), after("cr-1"), CATALOG) == []
