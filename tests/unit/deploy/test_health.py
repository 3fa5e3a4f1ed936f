"""A node group that lacks nodes is shown and warned of, although its stack is well."""

from __future__ import annotations

from msgspec import structs

from neuron_cluster.aws.eks import NodeGroup
from neuron_cluster.deploy.existing import Existing, ExistingNodeGroup
from neuron_cluster.deploy.existing_tables import existing_tables
from neuron_cluster.deploy.health import health_findings

ISSUE = "AsgInstanceLaunchFailures: Could not launch Capacity Block Instances."
GROUP = NodeGroup("trn2-0a1b2c3d", "ACTIVE", "AL2023_x86_64_NEURON", "CAPACITY_BLOCK", 0, 5, 5, "", "", ())


def existing(group: NodeGroup) -> Existing:
    """An environment that is one node group."""
    empty = dict.fromkeys(Existing.__struct_fields__, ())
    return Existing(**{**empty, "node_groups": (ExistingNodeGroup(group, None),)})  # type: ignore[arg-type]  # empty tuples of every kind


def test_the_issues_of_a_group_are_told() -> None:
    found = existing(structs.replace(GROUP, status="DEGRADED", issues=(ISSUE,)))
    (warning,) = health_findings(found)
    assert (warning.id, warning.location.file) == ("W9505", "trn2-0a1b2c3d")
    assert warning.message == f"the node group is DEGRADED: {ISSUE}"
    (table,) = existing_tables(found)
    assert table.rows[:2] == (("status", "DEGRADED"), ("issue", ISSUE))


def test_a_group_that_is_well_has_none() -> None:
    assert health_findings(existing(GROUP)) == []
