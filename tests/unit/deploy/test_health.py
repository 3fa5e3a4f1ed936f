"""What is not well after a deploy is an error where it is no success, else a warning."""

from __future__ import annotations

import pytest
from hint_commands import commands_in, flaw_of
from msgspec import structs

from neuron_cluster.aws.eks import Addon, Cluster, NodeGroup
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.existing import Existing, ExistingNodeGroup, ExistingStack
from neuron_cluster.deploy.existing_tables import existing_tables
from neuron_cluster.deploy.health import health_findings
from neuron_cluster.findings.finding import Finding

ISSUE = "AsgInstanceLaunchFailures: Could not launch Capacity Block Instances."
CLUSTER = Cluster("train", "ACTIVE", "1.35", True, False, (), "API", ())
GROUP = NodeGroup("trn2-0a1b2c3d", "ACTIVE", "AL2023_x86_64_NEURON", "CAPACITY_BLOCK", 0, 5, 5, "", "", ())


def existing(*groups: NodeGroup, stacks: tuple[ExistingStack, ...] = (), addons: tuple[Addon, ...] = ()) -> Existing:
    """An environment that is a few node groups, stacks or add-ons."""
    empty = dict.fromkeys(Existing.__struct_fields__, ())
    found = tuple(ExistingNodeGroup(group, None) for group in groups)
    parts = {"clusters": (CLUSTER,), "node_groups": found, "stacks": stacks, "addons": addons}
    return Existing(**{**empty, **parts})  # type: ignore[arg-type]  # empty tuples of every kind


def findings(found: Existing) -> list[Finding]:
    """With commands that can be run as they are."""
    here = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
    result = health_findings(found, here)
    commands = [command for each in result for command in commands_in(each.hint)]
    assert [flaw for command in commands if (flaw := flaw_of(command))] == []
    assert len(commands) == len(result)
    assert all("--region us-west-2 --endpoint-url http://127.0.0.1:9 " in command for command in commands)
    return result


def test_a_degraded_group_is_an_error() -> None:
    found = existing(structs.replace(GROUP, status="DEGRADED", issues=(ISSUE,)))
    (error,) = findings(found)
    assert (error.id, error.location.file) == ("E9523", "trn2-0a1b2c3d")
    assert error.message == f"the node group is DEGRADED: {ISSUE}"
    table = existing_tables(found)[-1]
    assert table.rows[:2] == (("status", "DEGRADED"), ("issue", ISSUE))


def test_a_group_that_is_not_active_is_an_error_without_issues_too() -> None:
    (error,) = findings(existing(structs.replace(GROUP, status="CREATE_FAILED")))
    assert (error.id, error.message) == ("E9523", "the node group is CREATE_FAILED")


def test_issues_of_an_active_group_are_a_warning() -> None:
    (warning,) = findings(existing(structs.replace(GROUP, issues=(ISSUE,))))
    assert (warning.id, warning.message) == ("W9505", f"the node group is ACTIVE: {ISSUE}")


@pytest.mark.parametrize(("desired", "asked", "expected"), [(0, 4, ["E9532"]), (4, 4, []), (5, None, [])])
def test_a_group_of_another_size_than_the_file_says_is_an_error(
    desired: int, asked: int | None, expected: list[str]
) -> None:
    """EKS has scaled it to 0 before its block ended, and CloudFormation sends no size that the template had already."""
    here = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
    found = existing(structs.replace(GROUP, desired=desired))
    wanted = {} if asked is None else {GROUP.name: asked}
    result = health_findings(found, here, wanted)
    assert [each.id for each in result] == expected
    if expected:
        (command,) = commands_in(result[0].hint)
        assert flaw_of(command) == ""
        assert "--scaling-config minSize=0,maxSize=5,desiredSize=4" in command
        assert "before its capacity block ends" in result[0].message
    failed = existing(structs.replace(GROUP, desired=desired, status="DEGRADED"))
    assert [each.id for each in health_findings(failed, here, wanted)] == ["E9523"], "one error is enough"


def test_an_add_on_that_lacks_something_is_a_warning() -> None:
    (warning,) = findings(existing(addons=(Addon("coredns", "v1", "DEGRADED"), Addon("vpc-cni", "v1", "ACTIVE"))))
    assert (warning.id, warning.location.file) == ("W9505", "coredns")


@pytest.mark.parametrize(
    "status", ["CREATE_IN_PROGRESS", "ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_FAILED", "DELETE_COMPLETE"]
)
def test_a_stack_that_is_not_finished_is_an_error(status: str) -> None:
    done = ExistingStack("train-network", "UPDATE_COMPLETE", 3, is_protected=False)
    (error,) = findings(existing(stacks=(done, ExistingStack("train-nodes", status, 3, is_protected=False))))
    assert (error.id, error.location.file) == ("E9522", "train-nodes")
    assert status in error.message


def test_a_group_that_is_well_has_none() -> None:
    assert findings(existing(GROUP)) == []
