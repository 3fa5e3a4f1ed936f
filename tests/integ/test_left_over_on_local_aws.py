"""What pods and people made beside the stacks: `destroy` names it, and its commands delete it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client

pytestmark = pytest.mark.slow
SMALL = """
schema: 1
name: small
account: 111122223333
region: us-west-2
lifecycle: ephemeral
neuron: {sdk: 2.32.0}
network:
  cidr: 10.50.0.0/16
  availability_zones: [usw2-az1]
"""
CLAIM = {
    "CSIVolumeName": "pvc-1",
    "kubernetes.io/cluster/small": "owned",
    "kubernetes.io/created-for/pvc/namespace": "team-a",
    "kubernetes.io/created-for/pvc/name": "models",
}
Command = Callable[..., Any]


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    (project / "environments" / "small.yaml").write_text(SMALL)
    return project


def strangers_things(target: LocalTarget) -> str:
    """A volume of a claim, a load balancer, an interface and a group in the environment's VPC; the group's id."""
    ec2 = client(target, "ec2")
    (vpc,) = [row["VpcId"] for row in ec2.describe_vpcs()["Vpcs"] if row["CidrBlock"] == "10.50.0.0/16"]
    of_vpc = [{"Name": "vpc-id", "Values": [vpc]}]
    subnet = ec2.describe_subnets(Filters=of_vpc)["Subnets"][0]
    tags = [{"Key": key, "Value": value} for key, value in CLAIM.items()]
    specification = [{"ResourceType": "volume", "Tags": tags}]
    ec2.create_volume(AvailabilityZone=subnet["AvailabilityZone"], Size=20, TagSpecifications=specification)
    client(target, "elbv2").create_load_balancer(Name="k8s-team-a", Subnets=[subnet["SubnetId"]], Type="network")
    group: str = ec2.create_security_group(GroupName="k8s-traffic", Description="of pods", VpcId=vpc)["GroupId"]
    ec2.create_network_interface(SubnetId=subnet["SubnetId"], Groups=[group], Description="aws-K8S-i-0")
    return group


@pytest.mark.hints("E9529")
def test_what_holds_the_network_is_named_with_commands_that_delete_it(
    command: Command, target: LocalTarget, run_aws: Callable[[str], None]
) -> None:
    assert command("deploy", "--local", "small").status == 0
    group = strangers_things(target)
    failed = command("destroy", "--local", "small")
    assert failed.status == 1
    assert "they stay when it goes" in failed.err
    assert "volume vol-" in failed.err
    assert "of the claim team-a/models" in failed.err
    (finding,) = [each for each in failed.document["findings"] if each["severity"] == "error"]
    lines = finding["message"].splitlines()
    assert finding["id"] == "E9529"
    assert f"  security group {group} (k8s-traffic)" in lines
    named = [line.split()[0] for line in lines if line.startswith("  ") and not line.startswith("    ")]
    commands = [line.strip() for line in lines if line.startswith("    aws ")]
    assert {"network", "interface", "security"} <= set(named)

    for each in commands:
        run_aws(each)
    gone = command("destroy", "--local", "small")
    assert (gone.status, gone.document["deleted"]) == (0, ["small-network"])
    (volume,) = gone.document["left_over"]
    run_aws(volume["command"])
    again = command("destroy", "--local", "small")
    assert (again.status, again.document["left_over"]) == (0, [])
