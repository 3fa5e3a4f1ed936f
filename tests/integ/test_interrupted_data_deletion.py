"""`destroy --delete-data` that a service stops half-way: the same command again goes on, and nothing is left."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from local_aws.faults import CallFault, ResourceFault
from local_aws.server import LocalAws
from neuron_cluster.aws.fsx import file_system
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.data_deletion import Data, delete_data

pytestmark = pytest.mark.slow
ACCOUNT, REGION = "111122223333", "us-west-2"
DURABLE = """
schema: 1
name: durable
account: 111122223333
region: us-west-2
lifecycle: durable
neuron: {sdk: 2.32.0}
network:
  cidr: 10.40.0.0/16
  availability_zones: [usw2-az4, usw2-az1]
storage:
  checkpoint_bucket: {}
  lustre: {availability_zone: usw2-az4, capacity_gib: 1200, sync: {}}
  homes: [{name: alice, availability_zone: usw2-az1, size_gib: 100}]
"""

Command = Callable[..., tuple[int, Any]]
Fault = AbstractContextManager[CallFault] | AbstractContextManager[ResourceFault]


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    (project / "environments" / "durable.yaml").write_text(DURABLE)
    return project


@pytest.fixture
def command(command: Callable[..., Any], target: LocalTarget) -> Command:
    """Runs a verb on the environment; exit status and JSON document."""

    def run(verb: str, *arguments: str) -> tuple[int, Any]:
        ran = command(verb, *arguments, "--local", "durable")
        return ran.status, ran.document

    return run


@pytest.mark.parametrize("everywhere", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_each_run_goes_on_where_the_last_one_stopped(
    everywhere: bool, command: Command, aws: LocalAws, target: LocalTarget
) -> None:
    """Stopped by a file system, by a bucket with objects and by the network; or by each resource that may do that."""
    status, deployed = command("deploy")
    assert status == 0
    (bucket,), keys = deployed["existing"]["buckets"], deployed["existing"]["keys"]
    client(target, "s3").put_object(Bucket=bucket["name"], Key="step", Body=b"one")
    denied, failing = aws.faults.access_denied, aws.faults.failing

    def is_stopped_by(fault: Fault, *arguments: str, always: bool = False) -> None:
        if not (always or everywhere):
            return
        with fault as planned:
            status, document = command("destroy", *arguments)
            assert (status, planned.injected > 0) == (1, True)
            (finding,) = document["findings"]
            assert finding["message"]

    by_name = ("--delete-data", "durable")
    is_stopped_by(denied("fsx", "DeleteDataRepositoryAssociation"), *by_name)
    is_stopped_by(denied("fsx", "DeleteFileSystem"), *by_name, always=True)
    is_stopped_by(denied("s3", "DeleteBucket"), *by_name, always=True)
    status, document = command("destroy")  # without the name it keeps what is left
    assert (status, document["kept"]) == (0, ["durable-network", "durable-storage"])
    assert bucket["name"] in buckets(target)
    assert stack(target, "durable-storage")["EnableTerminationProtection"]
    is_stopped_by(denied("ec2", "DeleteVolume"), *by_name)
    is_stopped_by(denied("kms", "ScheduleKeyDeletion"), *by_name)
    is_stopped_by(failing("delete", "AWS::S3::BucketPolicy"), *by_name)
    unnamed, named = ((), by_name) if everywhere else (by_name, ())  # once no data is left, the name is not asked for
    is_stopped_by(failing("delete", "AWS::EC2::VPC"), *unnamed, always=True)
    status, document = command("destroy", *named)
    assert (status, document["deleted"]) == (0, ["durable-network"])

    found = client(target, "cloudformation").describe_stacks()["Stacks"]
    assert [stack["StackName"] for stack in found] == ["CDKToolkit"]
    assert bucket["name"] not in buckets(target)
    assert client(target, "fsx").describe_file_systems()["FileSystems"] == []
    assert client(target, "ec2").describe_volumes()["Volumes"] == []
    assert client(target, "ec2").describe_network_interfaces()["NetworkInterfaces"] == []
    described = [client(target, "kms").describe_key(KeyId=key["id"])["KeyMetadata"] for key in keys]
    assert [key["KeyState"] for key in described] == ["PendingDeletion"] * 2  # of the data and of the flow logs


def buckets(target: LocalTarget) -> set[str]:
    return {row["Name"] for row in client(target, "s3").list_buckets()["Buckets"]}


def stack(target: LocalTarget, name: str) -> Any:
    (found,) = client(target, "cloudformation").describe_stacks(StackName=name)["Stacks"]
    return found


def test_a_file_system_that_is_on_its_way_out_is_waited_for(aws: LocalAws, target: LocalTarget) -> None:
    """Ctrl-C during the wait, then the command again: FSx does not take a second call."""
    ec2 = client(target, "ec2")
    vpc = ec2.create_vpc(CidrBlock="10.50.0.0/16")["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.50.0.0/24")["Subnet"]["SubnetId"]
    lustre = {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 125}
    made = client(target, "fsx").create_file_system(
        FileSystemType="LUSTRE",
        FileSystemTypeVersion="2.15",
        StorageCapacity=1200,
        SubnetIds=[subnet],
        LustreConfiguration=lustre,
    )
    system_id = made["FileSystem"]["FileSystemId"]
    rows = aws.store.table(ACCOUNT, REGION, "fsx.file_systems")
    rows[system_id]["Lifecycle"] = "DELETING"
    found = file_system(target, system_id)
    assert found is not None
    end = threading.Timer(0.5, rows.pop, [system_id])
    with aws.faults.access_denied("fsx", "DeleteFileSystem") as fault:
        end.start()
        delete_data(target, Data(buckets=(), file_systems=(found,), keys=()))
    end.join()
    assert fault.injected == 0
    assert file_system(target, system_id) is None
