"""An unhealthy resource after a deploy is an error if the deploy is not a success, else a warning."""

from __future__ import annotations

import pytest
from hint_commands import command_error, commands_in
from msgspec import structs

from neuron_cluster.aws.eks import Addon, Cluster, DescribedNodeGroup
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.eks.existing import ExistingEks, ExistingNodeGroup

ISSUE = "AsgInstanceLaunchFailures: Could not launch Capacity Block Instances."
CLUSTER = Cluster("train", "ACTIVE", "1.35", True, False, (), "API", ())
HERE = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
GROUP = DescribedNodeGroup("trn2-0a1b2c3d", "ACTIVE", "AL2023_x86_64_NEURON", "CAPACITY_BLOCK", 0, 5, 5, "", "", ())


def existing(*groups: DescribedNodeGroup, addons: tuple[Addon, ...] = ()) -> ExistingEks:
    """A cluster with a few node groups or add-ons."""
    found = tuple(ExistingNodeGroup(group, None) for group in groups)
    return ExistingEks(clusters=(CLUSTER,), node_groups=found, addons=addons)


def findings(found: ExistingEks, plan: ClusterPlan) -> list[Finding]:
    """With commands that can be run as they are."""
    result = found.findings(plan, HERE)
    commands = [command for each in result for command in commands_in(each.hint)]
    assert [error for command in commands if (error := command_error(command))] == []
    assert len(commands) == len(result)
    assert all("--region us-west-2 --endpoint-url http://127.0.0.1:9 " in command for command in commands)
    return result


def test_a_degraded_group_is_an_error(training: ClusterPlan) -> None:
    found = existing(structs.replace(GROUP, status="DEGRADED", issues=(ISSUE,)))
    (error,) = findings(found, training)
    assert (error.id, error.location.file) == ("E9523", "trn2-0a1b2c3d")
    assert error.message == f"the node group is DEGRADED, not ACTIVE. Issue: {ISSUE}"
    assert error.hint.startswith("correct what the issue names")
    table = found.tables()[-2]
    assert table.rows[:2] == (("status", "DEGRADED"), ("issue", ISSUE))


def test_a_group_that_is_not_active_is_an_error_without_issues_too(training: ClusterPlan) -> None:
    (error,) = findings(existing(structs.replace(GROUP, status="CREATE_FAILED")), training)
    message = "the node group is CREATE_FAILED, not ACTIVE, and EKS reports no issue of it"
    assert (error.id, error.message) == ("E9523", message)
    assert "correct what" not in error.hint, "there is no issue that names anything"


def test_issues_of_an_active_group_are_a_warning(training: ClusterPlan) -> None:
    (warning,) = findings(existing(structs.replace(GROUP, issues=(ISSUE,))), training)
    assert (warning.id, warning.message) == ("W9505", f"the node group is ACTIVE. Issue: {ISSUE}")


@pytest.mark.parametrize(("deployed", "expected"), [(0, ["E9532"]), (16, [])])
def test_a_group_of_another_size_than_the_file_says_is_an_error(
    deployed: int, expected: list[str], training: ClusterPlan
) -> None:
    """EKS has scaled it to 0 before its block ended, and CloudFormation sends no size that the template had already."""
    assert training.kubernetes is not None
    planned = training.kubernetes.node_groups[-1]
    group = structs.replace(GROUP, name=planned.physical_name, desired=deployed, max=16)
    result = existing(group).findings(training, HERE)
    assert [each.id for each in result] == expected
    if expected:
        (command,) = commands_in(result[0].hint)
        assert command_error(command) == ""
        assert f"--scaling-config minSize=0,maxSize=16,desiredSize={planned.desired}" in command
        assert "before its capacity block ends" in result[0].message
    failed = existing(structs.replace(group, status="DEGRADED"))
    assert [each.id for each in failed.findings(training, HERE)] == ["E9523"], "one error is enough"


def test_an_add_on_that_lacks_something_is_a_warning(training: ClusterPlan) -> None:
    addons = (Addon("coredns", "v1", "DEGRADED"), Addon("vpc-cni", "v1", "ACTIVE"))
    (warning,) = findings(existing(addons=addons), training)
    assert (warning.id, warning.location.file) == ("W9505", "coredns")


def test_a_group_that_is_well_has_none(training: ClusterPlan) -> None:
    assert findings(existing(GROUP), training) == []
