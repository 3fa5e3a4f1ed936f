"""Output of `diff` on groups that are one resource each: the base class does it, for any provider."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.summary.deployed_machines import deployed_machines
from neuron_cluster.changes.summary.node_change import node_changes

CATALOG = load_catalog()

STACK = "scale-trn1-machines"


def template(*names: str, **properties: Any) -> dict[str, dict[str, Any]]:
    data = {"InstanceType": "trn1.32xlarge", "InstanceMarketOptions": {"MarketType": "spot"}}
    launch = {"Type": "AWS::EC2::LaunchTemplate", "Properties": {"LaunchTemplateData": data}}
    groups = {
        f"Group{name}": {
            "Type": "AWS::AutoScaling::AutoScalingGroup",
            "Properties": {
                "AutoScalingGroupName": f"scale-trn1/{name}",
                "MinSize": "0",
                "DesiredCapacity": "2",
                "MaxSize": "8",
                "LaunchTemplate": {"LaunchTemplateId": {"Ref": "Launch"}, "Version": "1"},
                **properties,
            },
        }
        for name in names
    }
    return {STACK: {"Resources": {"Launch": launch, **groups}}}


SIZE = "2 x trn1.32xlarge (0 to 8), spot"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (template("a", "b"), [("b", "added", SIZE, 2)]),
        (template(), [("a", "removed", f"deleted: {SIZE}", 2)]),
        (template("a", MaxSize="9"), [("a", "scaled", "max 8 -> 9", 0)]),
        (template("a", DesiredCapacity="5", MaxSize="9"), [("a", "scaled", "desired 2 -> 5, max 8 -> 9", 3)]),
        (template("a", Cooldown="60"), [("a", "changed in place", "Cooldown: nothing -> 60", 0)]),
        (template("a"), []),
    ],
)
def test_each_group_has_its_changes(after: dict[str, Any], expected: list[tuple[str, str, str, int]]) -> None:
    found = node_changes(Comparison(template("a"), after, CATALOG))
    assert [(each.group, str(each.kind), each.what, each.nodes) for each in found] == expected


def test_another_name_replaces_the_group() -> None:
    (change,) = node_changes(Comparison(template("a"), template("a", AutoScalingGroupName="scale-trn1/b"), CATALOG))
    assert (change.group, str(change.kind), change.nodes) == ("a", "replaced", 2)


def test_deployed_groups_have_their_instances() -> None:
    (group,) = deployed_machines(template("a"))
    assert (group.name, group.instance_type, group.desired, group.maximum) == ("a", "trn1.32xlarge", 2, 8)
    assert group.capacity_type == "SPOT"
