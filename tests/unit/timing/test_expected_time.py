"""The expected time of new stacks: chains within a stack, stacks side by side, and types without a figure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from local_aws.cloudformation.errors import TemplateError
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.resource_duration import SecondsRange
from neuron_cluster.timing.expected_time import ExpectedTime, expected_time
from neuron_cluster.timing.timed_stack import TimedResource, TimedStack, timed_stack

GOLDENS = Path(__file__).parents[2] / "golden"
CATALOG = load_catalog()


def resource(name: str, low: int, high: int, *after: str) -> TimedResource:
    return TimedResource(name, "AWS::Some::Type", after, SecondsRange(low=low, high=high))


def stack(name: str, seconds: int, *after: str) -> TimedStack:
    return TimedStack(name, after, (resource("Only", seconds, seconds),))


def template(**resources: Any) -> dict[str, Any]:
    return {"Resources": resources}


def steps(found: ExpectedTime) -> list[str]:
    return [f"{step.stack}/{step.logical_id} at {step.begins}" for step in found.path]


def test_a_resource_waits_for_references_and_depends_on_of_its_template() -> None:
    found = timed_stack(
        "network",
        (),
        template(
            Nat={"Type": "AWS::EC2::NatGateway", "Properties": {"AllocationId": {"Fn::GetAtt": ["Ip", "Id"]}}},
            Ip={"Type": "AWS::EC2::EIP", "DependsOn": "Gateway"},
            Gateway={"Type": "AWS::EC2::InternetGateway"},
        ),
        CATALOG,
    )
    assert [(each.logical_id, each.after) for each in found.resources] == [
        ("Gateway", ()),
        ("Ip", ("Gateway",)),
        ("Nat", ("Ip",)),
    ]
    assert found.resources[0].create is None
    assert expected_time([found], 1).seconds == SecondsRange(low=83, high=143)


def test_a_template_with_a_circle_is_refused() -> None:
    first, second = {"Type": "T", "DependsOn": "Second"}, {"Type": "T", "DependsOn": "First"}
    with pytest.raises(TemplateError):
        timed_stack("any", (), template(First=first, Second=second), CATALOG)


def test_what_waits_for_nothing_runs_side_by_side_and_the_longest_chain_decides() -> None:
    resources = (resource("A", 1, 10), resource("B", 5, 5), resource("C", 1, 2, "A"), resource("D", 1, 1, "B"))
    found = expected_time([TimedStack("one", (), resources)], 1)
    assert found.seconds == SecondsRange(low=6, high=12)
    assert steps(found) == ["one/A at 0", "one/C at 10"]


def test_a_stack_begins_when_those_before_it_have_ended() -> None:
    found = expected_time([stack("network", 10), stack("storage", 50, "network"), stack("nodes", 7, "network")], 3)
    assert found.seconds.high == 60
    assert steps(found) == ["network/Only at 0", "storage/Only at 10"]


def test_no_more_stacks_at_a_time_than_the_cdk_command_deploys() -> None:
    four = [stack(name, 10) for name in "abcd"]
    assert [expected_time(four, at_once).seconds.high for at_once in (1, 2, 3, 4)] == [40, 20, 20, 10]


def test_a_stack_that_waits_for_one_which_exists_begins_at_once() -> None:
    assert expected_time([stack("nodes", 7, "network")], 3).seconds.high == 7


def test_types_without_a_figure_are_counted_by_name_and_take_no_time() -> None:
    found = expected_time([timed_stack("one", (), template(A={"Type": "Custom::Mine"}), CATALOG)], 1)
    assert (found.seconds, found.path, found.not_counted) == (SecondsRange(low=0, high=0), (), {"Custom::Mine": 1})


def test_nothing_to_create_takes_no_time() -> None:
    assert expected_time([], 3).seconds == SecondsRange(low=0, high=0)


def test_cluster_and_node_groups_are_on_the_critical_path_of_a_training_cluster() -> None:
    """The templates of the goldens, in the order of the stack table."""
    after = {"network": (), "cluster": ("network",), "system": ("cluster",), "nodes": ("system",)}
    stacks = []
    for part, needs in after.items():
        file = GOLDENS / "train-trn1" / f"train-trn1-{part}.template.json"
        stacks.append(timed_stack(part, needs, json.loads(file.read_text(encoding="utf-8")), CATALOG))
    found = expected_time(stacks, 3)
    types = [step.type for step in found.path]
    assert types.count("AWS::EKS::Nodegroup") == 2
    assert "AWS::EKS::Cluster" in types
    assert found.path[-1].is_doubtful
    assert found.seconds.low >= 513 + 2 * 108
    assert "AWS::EC2::Route" in found.not_counted
