"""Resources that pods and people made outside of the stacks: `destroy` names them, and its commands delete them."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.function_interfaces import InterfacesLeftError, wait_for_interfaces
from neuron_cluster.deploy.stack_names import EnvironmentName

pytestmark = pytest.mark.slow
ACCOUNT, REGION = "111122223333", "us-west-2"
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
NETWORK = {
    "Vpc": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.50.0.0/16"}},
    "Subnet": {
        "Type": "AWS::EC2::Subnet",
        "Properties": {"VpcId": {"Ref": "Vpc"}, "CidrBlock": "10.50.0.0/24"},
    },
    "Group": {
        "Type": "AWS::EC2::SecurityGroup",
        "Properties": {"GroupDescription": "of the cluster", "VpcId": {"Ref": "Vpc"}},
    },
}
CLAIM = {
    "CSIVolumeName": "pvc-1",
    "kubernetes.io/cluster/small": "owned",
    "kubernetes.io/created-for/pvc/namespace": "team-a",
    "kubernetes.io/created-for/pvc/name": "models",
}
GUARD_DUTY = "GuardDutyManagedSecurityGroup-VPC"
Command = Callable[..., Any]


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    (project / "environments" / "small.yaml").write_text(SMALL)
    return project


def strangers_things(target: LocalTarget) -> str:
    """A volume of a claim, a load balancer, an interface, a group, and what GuardDuty makes; the group's id."""
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
    managed = ec2.create_security_group(GroupName=GUARD_DUTY, Description="of GuardDuty", VpcId=vpc)["GroupId"]
    ec2.create_vpc_endpoint(
        VpcEndpointType="Interface",
        VpcId=vpc,
        ServiceName=f"com.amazonaws.{REGION}.guardduty-data",
        SubnetIds=[subnet["SubnetId"]],
        SecurityGroupIds=[managed],
        TagSpecifications=[{"ResourceType": "vpc-endpoint", "Tags": [{"Key": "GuardDutyManaged", "Value": "true"}]}],
    )
    return group


IN_A_VPC = "arn:aws:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole"


@pytest.fixture
def function_in_vpc(target: LocalTarget, local_aws: LocalAws) -> Iterator[str]:
    """The name of the role of a function in the environment's network that was deleted a moment ago."""
    body = json.dumps({"Resources": NETWORK})
    client(target, "cloudformation").create_stack(StackName="small-network", TemplateBody=body)
    local_aws.engine.wait()
    ec2, iam, functions = client(target, "ec2"), client(target, "iam"), client(target, "lambda")
    (vpc,) = [row["VpcId"] for row in ec2.describe_vpcs()["Vpcs"] if row["CidrBlock"] == "10.50.0.0/16"]
    of_vpc = [{"Name": "vpc-id", "Values": [vpc]}]
    subnet = ec2.describe_subnets(Filters=of_vpc)["Subnets"][0]["SubnetId"]
    groups = ec2.describe_security_groups(Filters=of_vpc)["SecurityGroups"]
    group = next(row["GroupId"] for row in groups if row["GroupName"] != "default")
    trust = {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
    role = iam.create_role(RoleName="function", AssumeRolePolicyDocument=document)["Role"]
    iam.attach_role_policy(RoleName="function", PolicyArn=IN_A_VPC)
    functions.create_function(
        FunctionName="kubectl",
        Runtime="python3.13",
        Role=role["Arn"],
        Handler="index.handler",
        Code={"ZipFile": b"PK\x05\x06" + b"\0" * 18},
        VpcConfig={"SubnetIds": [subnet], "SecurityGroupIds": [group]},
    )
    local_aws.delays.lambda_interfaces = dt.timedelta(minutes=20)
    functions.delete_function(FunctionName="kubectl")
    iam.detach_role_policy(RoleName="function", PolicyArn=IN_A_VPC)
    yield "function"
    local_aws.delays.reset()
    local_aws.clock.reset()
    with contextlib.suppress(iam.exceptions.NoSuchEntityException):
        iam.delete_role(RoleName="function")


@pytest.mark.parametrize("role_is_kept", [pytest.param(True, marks=pytest.mark.exhaustive), False])
def test_the_interfaces_of_a_function_are_awaited_or_deleted_before_the_network(
    role_is_kept: bool, function_in_vpc: str, command: Command, target: LocalTarget, local_aws: LocalAws
) -> None:
    """Lambda reclaims them as the function's role; without it they become available, and are deleted here."""
    if not role_is_kept:
        client(target, "iam").delete_role(RoleName=function_in_vpc)
    here, plan = local_destination(target.endpoint, ACCOUNT, REGION), EnvironmentName("small", ACCOUNT, REGION, "aws")
    shown: list[tuple[int, int]] = []
    with pytest.raises(InterfacesLeftError) as left:
        wait_for_interfaces(plan, here, lambda *_: None, lambda _: None, looks=2)
    assert "eni-" in left.value.message
    network = target_status(target)
    client(target, "cloudformation").delete_stack(StackName="small-network")
    local_aws.engine.wait()
    assert (network, target_status(target)) == ("CREATE_COMPLETE", "DELETE_FAILED"), "as CloudFormation alone does"

    wait_for_interfaces(
        plan,
        here,
        lambda gone, total: shown.append((gone, total)),
        lambda _: local_aws.clock.advance(dt.timedelta(minutes=11)),
    )
    assert shown[:2] == [(0, 1), (0, 1)]
    assert command("destroy", "--local", "small").status == 0


def target_status(target: LocalTarget) -> str:
    return str(client(target, "cloudformation").describe_stacks(StackName="small-network")["Stacks"][0]["StackStatus"])


@pytest.mark.hints("E9529")
def test_what_holds_the_network_is_named_with_commands_that_delete_it(
    command: Command, target: LocalTarget, run_aws: Callable[[str], None]
) -> None:
    assert command("deploy", "--local", "small").status == 0
    group = strangers_things(target)
    failed = command("destroy", "--local", "small")
    assert failed.status == 1
    assert "deleting the cluster does not delete them" in " ".join(failed.err.split())  # as wide as the terminal
    assert "volume vol-" in failed.err
    assert "of the claim team-a/models" in failed.err
    (finding,) = [each for each in failed.document["findings"] if each["severity"] == "error"]
    lines = finding["message"].splitlines()
    assert finding["id"] == "E9529"
    assert f"  security group {group} (k8s-traffic)" in lines
    named = [line.split()[0] for line in lines if line.startswith("  ") and not line.startswith("    ")]
    commands = [line.strip() for line in lines if line.startswith("    aws ")]
    assert {"network", "VPC", "interface", "security"} <= set(named)
    assert named.index("VPC") < named.index("security"), "an endpoint holds its group"
    started = failed.err.index("security group")
    assert "Others made these in the VPC" in failed.err[:started], "listed before the deletion starts"
    assert f"({GUARD_DUTY})" in failed.err

    for each in commands:
        run_aws(each)
    gone = command("destroy", "--local", "small")
    assert (gone.status, gone.document["deleted"]) == (0, ["small-network"])
    (volume,) = gone.document["left_over"]
    run_aws(volume["command"])
    again = command("destroy", "--local", "small")
    assert (again.status, again.document["left_over"]) == (0, [])
