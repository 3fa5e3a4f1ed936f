"""One capacity block after the other, as an edit of the file: what `deploy` then does on the local AWS."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from local_aws.clients import local_client
from local_aws.server import LocalAws
from neuron_cluster.cli.main import main

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
ACCOUNT, REGION, ZONE = "111122223333", "us-east-2", "use2-az3"
SHIPPED = Path(__file__).parents[2] / "environments" / "train-trn2.yaml"
PLACEHOLDER = "reservation_id: cr-0123456789abcdef0"


class Cloud(NamedTuple):
    """A project with a running local AWS."""

    project: Path
    client: Callable[[str], Any]
    environment: Path

    def run(self, *arguments: str) -> int:
        return main([*arguments, "--project", str(self.project)])


@pytest.fixture(scope="module")
def cloud(project: Path, local_aws: LocalAws) -> Cloud:
    return Cloud(
        project,
        lambda service: local_client(service, local_aws.endpoint, ACCOUNT, REGION),
        project / "environments" / "train-trn2.yaml",
    )


def bought(ec2: Any, at: dt.datetime | None = None) -> dict[str, Any]:
    """The reservation of a block of two machines that is active now, in the zone of the file."""
    now = at or dt.datetime.now(dt.UTC)
    wish = {"InstanceType": "trn2.48xlarge", "InstanceCount": 2, "CapacityDurationHours": 48}
    zones = ec2.describe_availability_zones()["AvailabilityZones"]
    (zone,) = [each["ZoneName"] for each in zones if each["ZoneId"] == ZONE]
    for offering in ec2.describe_capacity_block_offerings(**wish)["CapacityBlockOfferings"]:
        if offering["AvailabilityZone"] == zone and offering["StartDate"] <= now:
            return dict(
                ec2.purchase_capacity_block(
                    CapacityBlockOfferingId=offering["CapacityBlockOfferingId"], InstancePlatform="Linux/UNIX"
                )["CapacityReservation"]
            )
    raise LookupError(f"no block starts now in {ZONE}")


def free(ec2: Any, *rows: dict[str, Any]) -> list[int]:
    ids = [row["CapacityReservationId"] for row in rows]
    found = ec2.describe_capacity_reservations(CapacityReservationIds=ids)["CapacityReservations"]
    return [row["AvailableInstanceCount"] for row in found]


def written(row: dict[str, Any]) -> str:
    """The lines of the file that a block decides."""
    times = [f"{key}: {row[name]:%Y-%m-%dT%H:%M:%SZ}" for key, name in (("starts", "StartDate"), ("ends", "EndDate"))]
    return "\n        ".join([f"reservation_id: {row['CapacityReservationId']}", *times])


def neuron_group(eks: Any) -> dict[str, Any]:
    names = eks.list_nodegroups(clusterName="train-trn2")["nodegroups"]
    (name,) = [each for each in names if each.startswith("trn2-")]
    return dict(eks.describe_nodegroup(clusterName="train-trn2", nodegroupName=name)["nodegroup"])


def changed_resources(cloudformation: Any, since: dt.datetime) -> set[str]:
    """Types of the resources with an event since then, stacks left out."""
    found = set()
    for stack in cloudformation.describe_stacks()["Stacks"]:
        for event in cloudformation.describe_stack_events(StackName=stack["StackName"])["StackEvents"]:
            if event["Timestamp"] >= since and event["ResourceType"] != "AWS::CloudFormation::Stack":
                found.add(event["ResourceType"])
    return found


def test_the_next_block_is_an_edit_that_rolls_its_group_alone(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CDK_VALIDATION", "false")
    ec2, eks, text = cloud.client("ec2"), cloud.client("eks"), cloud.environment.read_text()
    first, second = bought(ec2), bought(ec2)
    with_nodes, empty = (
        text.replace("{min: 0, desired: 0, max: 4}", f"{{min: 0, desired: {n}, max: 2}}") for n in (2, 0)
    )
    cloud.environment.write_text(with_nodes.replace(PLACEHOLDER, written(first)))
    assert cloud.run("deploy", "--local", "train-trn2") == 0, capsys.readouterr()
    before = neuron_group(eks)
    assert free(ec2, first, second) == [0, 2]

    next_block = with_nodes.replace(PLACEHOLDER, written(second))
    cloud.environment.write_text(next_block)
    capsys.readouterr()
    assert cloud.run("deploy", "--local", "train-trn2") == 1
    assert "E9018" in str(capsys.readouterr())
    assert neuron_group(eks) == before

    cloud.environment.write_text(empty.replace(PLACEHOLDER, written(first)))
    assert cloud.run("deploy", "--local", "train-trn2") == 0, capsys.readouterr()
    assert free(ec2, first, second) == [2, 2]

    cloud.environment.write_text(next_block)
    capsys.readouterr()
    assert cloud.run("diff", "--local", "train-trn2", "--format", "json") == 0
    difference = json.loads(capsys.readouterr().out)
    assert [(each["group"], each["kind"]) for each in difference["nodes"]] == [("trn2", "rolled"), ("trn2", "scaled")]
    began = dt.datetime.now(dt.UTC)
    assert cloud.run("deploy", "--local", "train-trn2") == 0, capsys.readouterr()
    after = neuron_group(eks)
    assert changed_resources(cloud.client("cloudformation"), began) == {
        "AWS::EC2::LaunchTemplate",
        "AWS::EKS::Nodegroup",
        "Custom::AWSCDK-EKS-KubernetesResource",  # the quota of its queue follows desired
    }
    assert (after["nodegroupArn"], after["createdAt"]) == (before["nodegroupArn"], before["createdAt"])
    versions = [int(each["launchTemplate"]["version"]) for each in (before, after)]
    assert versions[1] == versions[0] + 1
    assert (after["status"], free(ec2, first, second)) == ("ACTIVE", [2, 0])

    cloud.environment.write_text(empty.replace(PLACEHOLDER, written(second)))
    assert cloud.run("deploy", "--local", "train-trn2") == 0, capsys.readouterr()
    cloud.environment.write_text(with_nodes.replace(PLACEHOLDER, "reservation_id: cr-0fedcba9876543210"))
    assert cloud.run("deploy", "--local", "train-trn2") == 1
    assert "InvalidCapacityReservationId.NotFound" in str(capsys.readouterr())
    retained = neuron_group(eks)
    assert (retained["status"], free(ec2, second)) == ("ACTIVE", [2])


@pytest.mark.hints("E9018", "E9532")
def test_after_the_end_of_a_block_eks_runs_what_the_file_says_in_the_next_one(
    cloud: Cloud,
    local_aws: LocalAws,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """EKS scales the group to 0 before the end; the steps of E9018 bring its nodes into the next block."""
    monkeypatch.setenv("CDK_VALIDATION", "false")
    ec2, eks, text = cloud.client("ec2"), cloud.client("eks"), SHIPPED.read_text()
    first = bought(ec2)
    with_nodes, empty = (
        text.replace("{min: 0, desired: 0, max: 4}", f"{{min: 0, desired: {n}, max: 2}}") for n in (2, 0)
    )

    def deploy(written_file: str) -> tuple[int, list[str]]:
        cloud.environment.write_text(written_file)
        capsys.readouterr()
        status = cloud.run("deploy", "--local", "train-trn2", "--format", "json")
        return status, [each["id"] for each in json.loads(capsys.readouterr().out)["findings"] if each["id"][0] == "E"]

    def desired() -> int:
        return int(neuron_group(eks)["scalingConfig"]["desiredSize"])

    deploy(empty.replace(PLACEHOLDER, written(first)))
    assert deploy(with_nodes.replace(PLACEHOLDER, written(first))) == (0, [])
    local_aws.clock.set(first["EndDate"] - dt.timedelta(minutes=39))
    assert desired() == 0
    assert deploy(with_nodes.replace(PLACEHOLDER, written(first))) == (1, ["E9532"]), "no error of CloudFormation"

    local_aws.clock.set(first["EndDate"] + dt.timedelta(hours=1))
    second = bought(ec2, local_aws.clock.now())
    assert deploy(with_nodes.replace(PLACEHOLDER, written(second))) == (1, ["E9018"])
    assert deploy(empty.replace(PLACEHOLDER, written(first)))[1] == []
    assert deploy(with_nodes.replace(PLACEHOLDER, written(second))) == (0, [])
    assert (desired(), free(ec2, second)) == (2, [0])
    assert deploy(empty.replace(PLACEHOLDER, written(second)))[1] == []
    local_aws.clock.reset()


def test_a_group_too_big_for_its_block_is_no_success_and_can_be_swapped_back(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CDK_VALIDATION", "false")
    row = bought(cloud.client("ec2"))
    text = SHIPPED.read_text().replace(PLACEHOLDER, written(row))
    fits, too_many = (
        text.replace("{min: 0, desired: 0, max: 4}", f"{{min: 0, desired: {n}, max: {n}}}") for n in (2, 3)
    )
    for wanted, status in ((fits, 0), (too_many, 1)):
        cloud.environment.write_text(wanted)
        capsys.readouterr()
        assert cloud.run("deploy", "--local", "train-trn2", "--format", "json") == status, capsys.readouterr()
    document = json.loads(capsys.readouterr().out)
    (found,) = [each for each in document["findings"] if each["id"] == "E9523"]
    cause = "Issue: AsgInstanceLaunchFailures: Could not launch Capacity Block Instances."
    assert f"DEGRADED, not ACTIVE. {cause}" in found["message"]

    cloud.environment.write_text(too_many.replace(row["CapacityReservationId"], "cr-0fedcba9876543210"))
    assert cloud.run("deploy", "--local", "train-trn2") == 1
    assert "E9018" in str(capsys.readouterr())
    cloud.environment.write_text(fits)
    assert cloud.run("deploy", "--local", "train-trn2") == 0, capsys.readouterr()
    assert neuron_group(cloud.client("eks"))["status"] == "ACTIVE"
