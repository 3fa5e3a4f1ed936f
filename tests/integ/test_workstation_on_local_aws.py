"""A workstation on the local AWS: made, replaced, removed; its home stays until its data is asked for by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client

pytestmark = pytest.mark.slow
PINNED = "ami-0123456789abcdef0"

Command = Callable[..., Any]


@pytest.fixture
def command(command: Command, target: LocalTarget) -> Command:
    """Runs a verb on the environment; its JSON document."""

    def run(verb: str, *arguments: str) -> Any:
        ran = command(verb, *arguments, "--local", "workstation")
        assert ran.status == 0, ran.document
        return ran.document

    return run


@pytest.mark.exhaustive
def test_the_home_outlives_the_machine_and_the_environment(
    command: Command, target: LocalTarget, project: Path
) -> None:
    existing = command("deploy")["existing"]
    (machine,), (home,) = existing["workstations"], existing["homes"]
    newest = client(target, "ssm").get_parameter(
        Name="/aws/service/neuron/dlami/multi-framework/ubuntu-24.04/latest/image_id"
    )["Parameter"]["Value"]
    assert (machine["name"], machine["image_id"], machine["state"]) == ("workstation/alice", newest, "running")
    assert machine["zone_id"] == "usw2-az1"
    assert (home["size_gib"], home["zone_id"], home["is_encrypted"]) == (200, "usw2-az1", True)

    file = project / "environments" / "workstation.yaml"
    assert limit_of(target, machine["id"]) == 60
    minutes = "idle_stop_minutes: 60"
    assert minutes in file.read_text()
    file.write_text(file.read_text().replace(minutes, "idle_stop_minutes: 90\n    team: research"))
    (same,) = command("deploy")["existing"]["workstations"]
    assert (same["id"], same["state"]) == (machine["id"], "running"), "neither the limit nor the team replaces it"
    assert limit_of(target, machine["id"]) == 90
    (row,) = client(target, "ec2").describe_instances(InstanceIds=[machine["id"]])["Reservations"][0]["Instances"]
    assert {"Key": "neuron-cluster:team", "Value": "research"} in row["Tags"]

    file.write_text(
        file.read_text().replace(f"# ami_id: {PINNED}", f"ami_id: {PINNED}").replace("size_gib: 200", "size_gib: 300")
    )
    existing = command("deploy")["existing"]
    (replaced,), (grown,) = existing["workstations"], existing["homes"]
    assert replaced["id"] != machine["id"]
    assert replaced["image_id"] == PINNED
    assert (grown["id"], grown["size_gib"]) == (home["id"], 300)
    reservations = client(target, "ec2").describe_instances(InstanceIds=[machine["id"]])["Reservations"]
    assert reservations[0]["Instances"][0]["State"]["Name"] == "terminated"

    same = command("destroy")
    assert same["kept"] == ["workstation-network", "workstation-storage"]
    assert volumes(target) == [home["id"]]
    command("destroy", "--delete-data", "workstation")
    assert volumes(target) == []
    assert client(target, "cloudformation").describe_stacks()["Stacks"][0]["StackName"] == "CDKToolkit"


def limit_of(target: LocalTarget, machine: str) -> int:
    """The idle limit that the association of the machine sets."""
    outputs = client(target, "cloudformation").describe_stack_resources(StackName="workstation-workstations")
    (found,) = [each for each in outputs["StackResources"] if each["ResourceType"] == "AWS::SSM::Association"]
    row = client(target, "ssm").describe_association(AssociationId=found["PhysicalResourceId"])
    association = row["AssociationDescription"]
    assert association["Targets"] == [{"Key": "InstanceIds", "Values": [machine]}]
    (command,) = [each for each in association["Parameters"]["commands"] if "ExecStart" in each]
    return int(command.partition("stop-when-idle ")[2].partition("'")[0])


def volumes(target: LocalTarget) -> list[str]:
    """The volumes that no machine takes with it."""
    rows = client(target, "ec2").describe_volumes()["Volumes"]
    return [row["VolumeId"] for row in rows if not row["Attachments"]]
