"""A deploy in which old and new groups together exceed the size of the cluster."""

from __future__ import annotations

import re
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Violation
from neuron_cluster.providers.pcs.changes.guards.cluster_size import SlurmGroupsExceedSizeAtOnce
from neuron_cluster.providers.pcs.changes.resource_kinds import CLUSTER, COMPUTE_NODE_GROUP

LOGIN = {"login": ("m7i.xlarge", 1)}


def stacks(groups: dict[str, tuple[str, int]], size: str = "SMALL") -> dict[str, dict[str, Any]]:
    """Groups by name: instance type, and the largest number of instances."""
    resources = {
        f"Group{name}": {
            "Type": COMPUTE_NODE_GROUP,
            "Properties": {
                "Name": f"{name}-{instance_type.replace('.', '')}",
                "InstanceConfigs": [{"InstanceType": instance_type}],
                "ScalingConfiguration": {"MinInstanceCount": 0, "MaxInstanceCount": maximum},
            },
        }
        for name, (instance_type, maximum) in groups.items()
    }
    cluster = {"Type": CLUSTER, "Properties": {"Name": "batch", "Size": size}}
    return {"batch-slurm": {"Resources": {"Cluster": cluster}}, "batch-compute": {"Resources": resources}}


def found(before: dict[str, Any], after: dict[str, Any]) -> list[Violation]:
    return list(SlurmGroupsExceedSizeAtOnce().check(Comparison(before, after, load_catalog())))


DEPLOYED = stacks({**LOGIN, "cpu": ("m7i.4xlarge", 8), "trn1": ("trn1.32xlarge", 20)})
"""29 of 32."""


@pytest.mark.parametrize(
    ("groups", "most"),
    [
        ({"cpu": ("m7i.2xlarge", 8), "trn1": ("trn1.32xlarge", 20)}, 37),  # replaced
        ({"prepare": ("m7i.4xlarge", 8), "trn1": ("trn1.32xlarge", 20)}, 37),  # another name
        ({"cpu": ("m7i.4xlarge", 2), "trn1": ("trn1.32xlarge", 26)}, 35),  # one shrinks as the other grows
    ],
)
@pytest.mark.hints("E9066")
def test_old_and_new_groups_together_exceed_the_size(groups: dict[str, tuple[str, int]], most: int) -> None:
    after = stacks({**LOGIN, **groups})
    (error,) = found(DEPLOYED, after)
    assert f"would count {most} instances, and size small allows 32" in error.message
    (excess,) = re.findall(r"lower by (\d+)", error.hint)
    (name,) = re.findall(r"the compute node group (\w+)", error.hint)
    instance_type, maximum = groups[name]
    first = stacks({**LOGIN, **groups, name: (instance_type, maximum - int(excess))})
    assert found(DEPLOYED, first) == []
    assert found(first, after) == []


@pytest.mark.hints("E9066")
@pytest.mark.parametrize(
    ("lowered", "edited", "after"),
    [
        # The login group of a cluster that is full.
        (("m7i.xlarge", 30), ("m7i.2xlarge", 30), ("m7i.2xlarge", 31)),
        # Its only group: half of the cluster is for the old one, the other half for the new one.
        (("m7i.xlarge", 15), ("m7i.xlarge", 16), ("m7i.xlarge", 31)),
    ],
    ids=["login", "only group"],
)
def test_what_cannot_be_smaller_waits_for_room(
    lowered: tuple[str, int], edited: tuple[str, int], after: tuple[str, int]
) -> None:
    steps = [("m7i.xlarge", "trn1.32xlarge", 31), (lowered[0], "trn1.32xlarge", lowered[1])]
    new_type = "trn1.32xlarge" if edited[0] != lowered[0] else "inf2.xlarge"
    steps += [(edited[0], new_type, edited[1]), (after[0], new_type, after[1])]
    full, first, second, last = (
        stacks({"login": (login, 1), "trn1": (instance_type, maximum)}) for login, instance_type, maximum in steps
    )
    (error,) = found(full, last)
    assert "1. undo the edit, lower count.max of groups and deploy" in error.hint
    assert "old and new groups together have 32 instances at most" in error.hint
    assert [found(*step) for step in ((full, first), (first, second), (second, last))] == [[], [], []]


def test_groups_that_fit_together() -> None:
    room = stacks({**LOGIN, "cpu": ("m7i.4xlarge", 8)})
    assert found(room, stacks({**LOGIN, "cpu": ("m7i.2xlarge", 8)})) == []
    assert found(DEPLOYED, DEPLOYED) == []
    larger = {**LOGIN, "cpu": ("m7i.2xlarge", 8), "trn1": ("trn1.32xlarge", 20)}
    medium = stacks({**LOGIN, "cpu": ("m7i.4xlarge", 8), "trn1": ("trn1.32xlarge", 20)}, "MEDIUM")
    assert found(medium, stacks(larger, "MEDIUM")) == []
    assert found(DEPLOYED, stacks(larger, "MEDIUM")) == [], "E9061 is about a cluster that would be replaced"
    assert found({}, DEPLOYED) == []
