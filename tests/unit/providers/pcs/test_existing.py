"""Resources of PCS after a deploy: tables, an error for those that are not ACTIVE, and the way to the login nodes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hint_commands import command_error, commands_in
from msgspec.structs import replace

from neuron_cluster.aws.pcs import PcsCluster, PcsGroup, PcsQueue
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.pcs.existing import ExistingSlurm

HERE = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
CLUSTER = PcsCluster("pcs_1", "slurm-trn1", "ACTIVE", "25.11", "SMALL", "STANDARD")
GROUP = PcsGroup("trn1-e98115", "ACTIVE", ("trn1.32xlarge",), "ami-0123456789abcdef0", "ONDEMAND", 0, 16)
QUEUE = PcsQueue("training", "ACTIVE", ("trn1-e98115",))


@pytest.fixture
def plan(plan_of: Callable[..., ClusterPlan]) -> ClusterPlan:
    return plan_of("slurm-trn1")


def existing(group: PcsGroup = GROUP) -> ExistingSlurm:
    return ExistingSlurm(slurm_clusters=(CLUSTER,), compute_node_groups=(group,), slurm_queues=(QUEUE,))


def test_a_cluster_that_is_active_has_no_finding(plan: ClusterPlan) -> None:
    assert existing().findings(plan, HERE) == []


@pytest.mark.hints("E9560")
def test_a_group_that_failed_is_an_error_with_a_command_that_lists_the_groups(plan: ClusterPlan) -> None:
    failed = replace(GROUP, status="UPDATE_FAILED", errors=("InvalidAmi: the AMI has no PCS agent",))
    (error,) = existing(failed).findings(plan, HERE)
    assert (error.id, error.location.file) == ("E9560", "trn1-e98115")
    assert error.message == "trn1-e98115 is UPDATE_FAILED in PCS: InvalidAmi: the AMI has no PCS agent"
    (command,) = commands_in(error.hint)
    assert not command_error(command)
    assert "--cluster-identifier pcs_1" in command


def test_an_active_group_with_an_error_is_one_too(plan: ClusterPlan) -> None:
    (error,) = existing(replace(GROUP, errors=("QuotaExceeded: 0 of 16",))).findings(plan, HERE)
    assert error.message == "trn1-e98115 is ACTIVE in PCS: QuotaExceeded: 0 of 16"


def test_the_tables_have_each_part() -> None:
    clusters, groups, queues = existing().tables()
    assert ("name", "slurm-trn1 (ACTIVE)") in clusters.rows
    assert groups.rows[0][:4] == ("trn1-e98115", "ACTIVE", "trn1.32xlarge", "0 / 16")
    assert queues.rows == (("training", "ACTIVE", "trn1-e98115"),)


def test_the_next_step_finds_the_login_nodes(plan: ClusterPlan) -> None:
    (step,) = existing().next_steps(plan)
    assert not command_error(step.command)
    assert "Name=tag:Name,Values=slurm-trn1/login" in step.command
    assert ExistingSlurm().next_steps(plan) == []
