"""A HyperPod cluster after a deploy: tables, findings about what is not in service or not there, and differences."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hint_commands import command_error, commands_in
from msgspec.structs import replace

from neuron_cluster.aws.hyperpod import HyperPodCluster, InstanceGroupState
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.findings.finding import Severity
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.hyperpod.existing import ExistingHyperPod
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan

NAME = "hyperpod-trn2"
HERE = local_destination("http://127.0.0.1:9", "111122223333", "us-east-2")
ARN = "arn:aws:sagemaker:us-east-2:111122223333:cluster/0123456789ab"


@pytest.fixture
def plan(plan_of: Callable[..., ClusterPlan]) -> ClusterPlan:
    return plan_of(NAME)


@pytest.fixture
def group(plan: ClusterPlan) -> InstanceGroupState:
    """The group of the file, as HyperPod has it."""
    hyperpod = plan.provider(HyperPodPlan)
    assert hyperpod is not None
    (planned,) = hyperpod.groups
    return InstanceGroupState(planned.physical_name, "ml.trn2.48xlarge", "InService", 4, 4)


def existing(*groups: InstanceGroupState, status: str = "InService", failure: str = "") -> ExistingHyperPod:
    cluster = HyperPodCluster(NAME, ARN, status, "Automatic", True, "", groups, failure)
    return ExistingHyperPod(hyperpod_clusters=(cluster,))


def test_a_cluster_that_is_in_service_with_all_nodes_has_no_finding(
    plan: ClusterPlan, group: InstanceGroupState
) -> None:
    found = existing(group)
    assert [*found.findings(plan, HERE), *found.differences(plan, HERE)] == []


@pytest.mark.hints("E9589")
def test_a_cluster_that_failed_is_an_error_with_its_message(plan: ClusterPlan, group: InstanceGroupState) -> None:
    failed = existing(group, status="Failed", failure="Lifecycle scripts did not run successfully")
    (error,) = failed.findings(plan, HERE)
    assert (error.id, error.severity, error.location.file) == ("E9589", Severity.ERROR, NAME)
    assert error.message == f"{NAME} is Failed in HyperPod: Lifecycle scripts did not run successfully"
    (command,) = commands_in(error.hint)
    assert not command_error(command)
    assert f"--cluster-name {NAME}" in command


@pytest.mark.parametrize("status", ["Failed", "Degraded", "Updating", "SystemUpdating", "Creating", "Deleting"])
def test_a_group_that_is_not_in_service_is_an_error_of_its_own(
    plan: ClusterPlan, group: InstanceGroupState, status: str
) -> None:
    (error,) = existing(replace(group, status=status)).findings(plan, HERE)
    assert (error.id, error.message) == ("E9589", f"{group.name} is {status} in HyperPod")


@pytest.mark.hints("W9586")
def test_nodes_that_are_missing_are_a_warning(plan: ClusterPlan, group: InstanceGroupState) -> None:
    """Continuous provisioning is in service before it has them."""
    (warning,) = existing(replace(group, current=1)).findings(plan, HERE)
    assert (warning.id, warning.severity) == ("W9586", Severity.WARNING)
    assert warning.message == "HyperPod has 1 of 4 nodes of trn2"
    (command,) = commands_in(warning.hint)
    assert not command_error(command)


def test_a_group_that_failed_is_not_warned_of_as_well(plan: ClusterPlan, group: InstanceGroupState) -> None:
    found = existing(replace(group, status="Failed", current=0)).findings(plan, HERE)
    assert [each.id for each in found] == ["E9589"]


@pytest.mark.parametrize("target", [2, 8])
def test_a_group_that_was_scaled_by_hand_is_a_difference(
    plan: ClusterPlan, group: InstanceGroupState, target: int
) -> None:
    (found,) = existing(replace(group, target=target)).differences(plan, HERE)
    assert found.id == "W9652"
    assert f"{target} nodes" in found.message
    assert "4 nodes" in found.message
    (command,) = commands_in(found.hint)
    assert not command_error(command)


def test_a_group_that_the_file_does_not_have_is_a_difference(plan: ClusterPlan, group: InstanceGroupState) -> None:
    foreign = replace(group, name="other-01234567", current=2, target=2)
    found = existing(group, foreign)
    (difference,) = found.differences(plan, HERE)
    assert difference.location.file == "other-01234567"
    assert "the service reports 2 nodes, the file has no such group" in difference.message
    assert all(not command_error(command) for command in commands_in(difference.hint))
    assert found.findings(plan, HERE) == [], "its nodes are not ours to miss"


def test_the_tables_have_the_cluster_and_its_groups(group: InstanceGroupState) -> None:
    released = replace(group, name="trn1-0a1b2c3d", instance_type="ml.trn1.32xlarge", release="1.2.3")
    clusters, groups = existing(replace(group, current=3), released).tables()
    assert clusters.rows == (
        ("name", f"{NAME} (InService)"),
        ("ARN", ARN),
        ("node recovery", "automatic"),
        ("provisioning", "continuous"),
    )
    assert groups.rows == (
        (group.name, "InService", "ml.trn2.48xlarge", "3 of 4", "-"),
        ("trn1-0a1b2c3d", "InService", "ml.trn1.32xlarge", "4 of 4", "1.2.3"),
    )


def test_nothing_deployed_has_nothing_to_say(plan: ClusterPlan) -> None:
    nothing = ExistingHyperPod()
    assert [row for table in nothing.tables() for row in table.rows] == []
    assert [*nothing.findings(plan, HERE), *nothing.differences(plan, HERE)] == []
