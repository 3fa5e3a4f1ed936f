"""After a deploy: the commands that reach what exists now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from neuron_cluster.aws.ec2 import Instance
from neuron_cluster.aws.fsx import FileSystem
from neuron_cluster.deploy.existing import Existing, ExistingFileSystem
from neuron_cluster.deploy.next_steps import next_steps
from neuron_cluster.plan.cluster_plan import ClusterPlan


def existing(**parts: Any) -> Existing:
    return Existing(**{**dict.fromkeys(Existing.__struct_fields__, ()), **parts})


def test_lustre_is_mounted_by_its_dns_and_mount_name(training: ClusterPlan) -> None:
    system = FileSystem("fs-1", "AVAILABLE", 1200, "PERSISTENT_2", 125, "key", "fs-1.fsx.example", "abc")
    (step,) = next_steps(training, existing(file_systems=(ExistingFileSystem(system, ()),)))
    assert step.command.endswith(" fs-1.fsx.example@tcp:/abc /fsx")


def test_a_workstation_has_its_session_command(plan_of: Callable[..., ClusterPlan]) -> None:
    plan = plan_of("workstation")
    name = f"workstation/{plan.workstations[0].name}"
    machine = Instance("i-1", name, "trn1.2xlarge", "ami-1", "usw2-az4", "running", "10.0.0.1")
    (step,) = next_steps(plan, existing(workstations=(machine,)))
    assert step.what == f"session on {name}"
    assert step.command == (
        "aws ssm start-session --region us-west-2 --target i-1 --document-name AWS-StartInteractiveCommand "
        "--parameters command='sudo -iu ubuntu'"
    )


def test_a_network_alone_has_no_next_step(training: ClusterPlan) -> None:
    assert next_steps(training, existing()) == []
