"""Parts of an environment on PCS, and of storage and the network, that were deleted with another program."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.client import BaseClient
from hint_commands import command_error

from .conftest import Deployed, Environment, Line, Read

pytestmark = pytest.mark.slow
NAME = "slurm-storage"
READS = ("Describe", "List", "Get")
GONE = "the budget does not exist: no notification is sent"


@pytest.fixture(scope="module")
def environment(deployed: Deployed) -> Environment:
    return deployed(NAME)


def lines_of(read: Read, section: str) -> dict[str, Line]:
    """The lines of a section that are not healthy, by subject."""
    status = read(NAME)
    assert status.exit == 3
    found = {line.subject: line for line in status.others if line.section == section}
    assert [line.command for line in found.values() if command_error(line.command or "")] == []
    return found


def test_only_the_option_sends_a_command_and_nothing_else_is_a_write(
    environment: Environment, command: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a login node, which PCS starts and the local AWS does not."""
    ec2, made = environment.client("ec2"), []
    tags = [{"ResourceType": "instance", "Tags": [{"Key": "Name", "Value": f"{NAME}/login"}]}]
    image = ec2.describe_images(Filters=[{"Name": "name", "Values": ["*al2023*x86_64*"]}])["Images"][0]["ImageId"]
    (started,) = ec2.run_instances(
        ImageId=image, InstanceType="m7i.large", MinCount=1, MaxCount=1, TagSpecifications=tags
    )["Instances"]
    call = BaseClient._make_api_call

    def noted(client: Any, operation: str, parameters: Any) -> Any:
        made.append(operation)
        return call(client, operation, parameters)

    monkeypatch.setattr(BaseClient, "_make_api_call", noted)
    without = command(NAME)
    assert [name for name in made if not name.startswith(READS)] == []
    assert any(
        "status --run-command --local slurm-storage`, which sends" in each for each in without.document["not_looked_at"]
    )
    status = command(NAME, "--run-command")
    assert [name for name in made if not name.startswith(READS)] == ["SendCommand"]
    assert {line.subject: line.cause for line in status.lines}["login"] == "ACTIVE, 1 to 1 instances, 1 running"
    ec2.terminate_instances(InstanceIds=[started["InstanceId"]])


def test_a_queue_and_a_group_that_are_gone_are_errors(environment: Environment, read: Read) -> None:
    pcs = environment.client("pcs")
    (cluster,) = [each["id"] for each in pcs.list_clusters()["clusters"] if each["name"] == NAME]
    (queue,) = pcs.list_queues(clusterIdentifier=cluster)["queues"]
    pcs.delete_queue(clusterIdentifier=cluster, queueIdentifier=queue["id"])
    assert lines_of(read, "Queues")["training"].cause == "the queue does not exist"
    groups: list[dict[str, Any]] = pcs.list_compute_node_groups(clusterIdentifier=cluster)["computeNodeGroups"]
    (trn1,) = [each["id"] for each in groups if each["name"].startswith("trn1")]
    pcs.delete_compute_node_group(clusterIdentifier=cluster, computeNodeGroupIdentifier=trn1)
    assert lines_of(read, "Compute groups")["trn1"].cause == "the compute node group does not exist"


def test_a_mount_target_that_is_gone_is_an_error(environment: Environment, read: Read) -> None:
    efs = environment.client("efs")
    (system,) = efs.describe_file_systems()["FileSystems"]
    mounts = efs.describe_mount_targets(FileSystemId=system["FileSystemId"])["MountTargets"]
    efs.delete_mount_target(MountTargetId=mounts[0]["MountTargetId"])
    line = lines_of(read, "Storage and keys")["mount targets of EFS"]
    assert (line.verdict, line.cause[:33]) == ("error", "1 of 2 mount targets available: n")


def test_an_endpoint_and_a_nat_gateway_that_are_gone_are_errors(environment: Environment, read: Read) -> None:
    ec2 = environment.client("ec2")
    endpoints = [each["VpcEndpointId"] for each in ec2.describe_vpc_endpoints()["VpcEndpoints"]]
    ec2.delete_vpc_endpoints(VpcEndpointIds=endpoints)
    (gateway,) = [each["NatGatewayId"] for each in ec2.describe_nat_gateways()["NatGateways"]]
    ec2.delete_nat_gateway(NatGatewayId=gateway)
    found = lines_of(read, "Network")
    assert found["endpoint of s3"].cause.startswith("it was deleted outside of its stack slurm-storage-network")
    assert found[f"NAT gateway {gateway}"].verdict == "error"


def test_a_budget_that_is_gone_is_an_error(environment: Environment, read: Read) -> None:
    budgets, account = environment.client("budgets"), environment.plan.account
    names = [each["BudgetName"] for each in budgets.describe_budgets(AccountId=account)["Budgets"]]
    assert sorted(names) == sorted(budget.name for budget in environment.plan.budgets)
    for name in names:
        budgets.delete_budget(AccountId=account, BudgetName=name)
    lines = lines_of(read, "Budgets")
    assert {name: lines[name].cause for name in names} == dict.fromkeys(names, GONE)


def test_a_cluster_that_is_gone_is_one_error_without_groups(environment: Environment, read: Read) -> None:
    pcs = environment.client("pcs")
    (cluster,) = [each["id"] for each in pcs.list_clusters()["clusters"] if each["name"] == NAME]
    for group in pcs.list_compute_node_groups(clusterIdentifier=cluster)["computeNodeGroups"]:
        pcs.delete_compute_node_group(clusterIdentifier=cluster, computeNodeGroupIdentifier=group["id"])
    pcs.delete_cluster(clusterIdentifier=cluster)
    line = lines_of(read, "Slurm controller")[NAME]
    assert line.cause == "the cluster does not exist, nor do its compute node groups and queues"
    assert [line for line in read(NAME).lines if line.section == "Compute groups"] == []
