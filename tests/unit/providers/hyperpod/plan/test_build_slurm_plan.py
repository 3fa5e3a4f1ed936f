"""A HyperPod cluster with Slurm: its groups, partitions, addresses and users, and how a login node is found."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hint_commands import command_error

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan
from neuron_cluster.providers.hyperpod.plan.slurm_plan import HyperPodSlurmPlan
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster, slurm_of
from tests.slurm_on_hyperpod import CPU, NAME, TEAMS

PLAN_ARN = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/week-49"
PlanOf = Callable[..., ClusterPlan]


def slurm(plan_of: PlanOf, edits: dict[str, Any] | None = None) -> HyperPodSlurmPlan:
    found = plan_of(NAME, edits).provider(HyperPodSlurmPlan)
    assert found is not None
    return found


def test_the_plan_is_a_slurm_cluster_and_the_only_one(plan_of: PlanOf) -> None:
    plan = plan_of(NAME)
    made = slurm_of(plan)
    assert isinstance(made, SlurmCluster)
    assert made is plan.provider(HyperPodPlan)
    assert (made.name, made.version, made.has_accounting, made.idle_seconds) == (NAME, "24.11", True, None)
    assert plan.kubernetes is None


def test_controller_and_login_group_run_no_jobs(plan_of: PlanOf) -> None:
    made = slurm(plan_of, {"hyperpod.groups.1": CPU, "hyperpod.slurm.login.count": {"desired": 2}})
    assert [(group.name, group.node_type, group.queue, group.min, group.max) for group in made.instance_groups] == [
        ("controller", "Controller", None, 1, 1),
        ("login", "Login", None, 2, 2),
        ("trn1", "Compute", "training", 4, 4),
        ("prepare", "Compute", "prepare", 1, 1),
    ]
    assert [group.name for group in made.groups] == ["trn1", "prepare"]
    assert [group.label for group in made.instance_groups] == [
        "controller group",
        "login group",
        "instance group",
        "instance group",
    ]


def test_only_groups_with_neuron_devices_have_generic_resources(plan_of: PlanOf) -> None:
    made = slurm(plan_of, {"hyperpod.groups.1": CPU})
    gres = {group.name: group.gres.requested for group in made.instance_groups if group.gres is not None}
    assert gres == {"trn1": "gpu:trainium:16"}


def test_groups_of_one_partition_are_in_the_order_of_the_file(plan_of: PlanOf) -> None:
    more = {**CPU, "name": "more", "count": {"desired": 2}}
    groups = {"hyperpod.groups.1": {**CPU, "queue": "training"}, "hyperpod.groups.2": more}
    queues = slurm(plan_of, groups).queues
    assert [(queue.name, queue.groups) for queue in queues] == [
        ("training", ("trn1", "prepare")),
        ("prepare", ("more",)),
    ]
    assert not [queue for queue in queues if queue.is_default or queue.has_whole_nodes]


def test_a_trainium_node_takes_an_address_on_each_network_card(plan_of: PlanOf) -> None:
    """Without pods it has no more than that."""
    needs = [need for subnet in plan_of(NAME).addresses for need in subnet.needs if need.count]
    names = ("trn1", "login", "controller")
    counted = {name: (need.count, need.each) for need in needs for name in names if name in need.words}
    assert counted == {"trn1": (4, 8), "login": (1, 1), "controller": (1, 1)}


@pytest.mark.parametrize(
    ("edits", "changed"),
    [
        ({"hyperpod.slurm.controller.instance_type": "ml.m7i.4xlarge"}, {"controller"}),
        ({"hyperpod.slurm.login.instance_type": "ml.m7i.4xlarge"}, {"login"}),
        ({"hyperpod.groups.0.instance_type": "ml.trn1n.32xlarge"}, {"trn1"}),
        ({"hyperpod.groups.0.count": {"desired": 8, "min": 2}}, set()),
        ({"hyperpod.groups.0.queue": "other"}, set()),
        ({"hyperpod.groups.0.capacity": {"kind": "training_plan", "plan_arn": PLAN_ARN}}, set()),
        ({"hyperpod.slurm.controller.extra_volume": {"size_gib": 500}}, set()),
        (TEAMS, set()),
        ({"hyperpod.groups.1": CPU}, set()),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, dict) else "",
)
def test_a_group_has_another_name_where_hyperpod_replaces_it(
    plan_of: PlanOf, edits: dict[str, Any], changed: set[str]
) -> None:
    before, after = (
        {group.name: group.physical_name for group in slurm(plan_of, each).instance_groups} for each in (None, edits)
    )
    assert {name for name in before if before[name] != after[name]} == changed


def test_controller_and_login_group_are_where_the_file_system_is(plan_of: PlanOf) -> None:
    zones = {"network.availability_zones": ["usw2-az1", "usw2-az4"]}
    here = {**zones, "hyperpod.groups.0.availability_zone": "usw2-az4"}
    assert {group.zone_ids for group in slurm(plan_of, here).instance_groups} == {("usw2-az4",)}
    without = slurm(plan_of, {**here, "storage": None}).instance_groups
    assert [group.zone_ids for group in without] == [("usw2-az1",), ("usw2-az1",), ("usw2-az4",)]


def test_teams_are_users_of_every_node_without_what_only_kubernetes_has(plan_of: PlanOf) -> None:
    made = slurm(plan_of, TEAMS)
    users = {tuple(user.name for user in group.start.users) for group in made.instance_groups}
    assert users == {("team-research", "team-applied")}
    assert [(team.name, team.namespaces, team.queue) for team in made.teams] == [
        ("research", (), None),
        ("applied", (), None),
    ]
    assert list(made.team_lines("research")) == ["user team-research of Slurm nodes"]
    assert list(made.team_lines("nobody")) == []


def test_sessions_go_to_the_login_group_and_jobs_from_there_to_partitions(plan_of: PlanOf) -> None:
    paths = [(path.text, path.from_groups, path.groups) for path in slurm(plan_of, TEAMS).work_paths()]
    assert paths == [
        ("sessions, by Session Manager", (), ("login",)),
        ("jobs, by queue training", ("login",), ("trn1",)),
    ]
    assert [path.text for path in slurm(plan_of).work_paths()] == ["jobs, by queue training"]


AWS = """#!/bin/bash
case "$*" in
  *describe-cluster*) echo arn:aws:sagemaker:us-west-2:111122223333:cluster/abc123def456 ;;
  *"list-cluster-nodes"*"--instance-group-name-contains {group} "*) echo i-0123456789abcdef0 ;;
  *) exit 1 ;;
esac
"""


def test_the_command_prints_the_target_of_a_session(plan_of: PlanOf, tmp_path: Path) -> None:
    """sagemaker-cluster:<id of the cluster>_<group>-<id of the instance>."""
    made = slurm(plan_of)
    program = tmp_path / "aws"
    program.write_text(AWS.format(group=made.login.physical_name))
    program.chmod(0o755)
    ran = subprocess.run(
        ["bash", "-euc", made.find_login_node("us-west-2")],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    group = made.login.physical_name
    assert ran.stdout == f"sagemaker-cluster:abc123def456_{group}-i-0123456789abcdef0\n"


def test_the_command_asks_for_running_nodes_with_calls_of_the_aws_cli(plan_of: PlanOf) -> None:
    text = slurm(plan_of).find_login_node("us-west-2")
    asked = re.findall(r"\$\((aws [^()]*)\)", text)
    assert len(asked) == 2
    assert [command_error(command) for command in asked] == ["", ""]
    assert "InstanceStatus.Status==`Running`" in asked[1]


def test_without_an_answer_of_aws_the_command_prints_no_target(plan_of: PlanOf, tmp_path: Path) -> None:
    program = tmp_path / "aws"
    program.write_text("#!/bin/sh\nexit 254\n")
    program.chmod(0o755)
    command = ["bash", "-c", f"set -euo pipefail; LOGIN=$({slurm(plan_of).find_login_node('us-west-2')}); echo went on"]
    ran = subprocess.run(command, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, check=False)
    assert (ran.returncode, ran.stdout) == (254, b"")


def test_settings_have_what_hyperpod_and_devices_need(plan_of: PlanOf) -> None:
    settings = slurm(plan_of).settings
    assert "permit_job_expansion" in settings["SchedulerParameters"].split(",")
    assert (settings["GresTypes"], settings["PrologFlags"]) == ("gpu", "Alloc")
    assert list(settings) == sorted(settings), "the same plan gives the same file"
