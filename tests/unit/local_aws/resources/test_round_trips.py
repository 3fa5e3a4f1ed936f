"""Every type: what is created and changed is read back from the service, and is gone after the deletion."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from botocore.exceptions import ClientError

Ids = Mapping[str, str]
TAGS = [{"Key": "Name", "Value": "first"}, {"Key": "gone", "Value": "later"}]
NEW_TAGS = [{"Key": "Name", "Value": "second"}]
TRUST = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}],
}
READ = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}]}
WRITE = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:PutObject", "Resource": "*"}]}


@dataclass(frozen=True)
class Trip:
    """Properties at first, then after an update in place; ``ids`` are the resources of the ``ids`` fixture."""

    type_name: str
    first: Callable[[Ids], dict[str, Any]]
    then: Callable[[Ids], dict[str, Any]] | None = None
    name: str = ""

    def __str__(self) -> str:
        return f"{self.type_name.removeprefix('AWS::')}{'-' if self.name else ''}{self.name}"


def archive() -> bytes:
    with io.BytesIO() as buffer:
        with zipfile.ZipFile(buffer, "w") as files:
            files.writestr("index.py", "def handler(event, context): return event")
        return buffer.getvalue()


@pytest.fixture
def ids(bench: Any) -> Ids:
    """A VPC with two subnets and what else the trips refer to."""
    vpc = bench.create("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16"}).physical_id
    subnets = [
        bench.create(
            "AWS::EC2::Subnet", {"VpcId": vpc, "CidrBlock": f"10.0.{n}.0/24", "AvailabilityZoneId": f"usw2-az{n}"}
        )
        for n in (1, 2)
    ]
    group = bench.create("AWS::EC2::SecurityGroup", {"VpcId": vpc, "GroupDescription": "of the trips"}).physical_id
    gateway = bench.create("AWS::EC2::InternetGateway", {}).physical_id
    role = bench.create("AWS::IAM::Role", {"RoleName": "trips", "AssumeRolePolicyDocument": TRUST})
    bucket = bench.create("AWS::S3::Bucket", {}).physical_id
    bench.client("s3").put_object(Bucket=bucket, Key="code.zip", Body=archive())
    function = {"Code": {"S3Bucket": bucket, "S3Key": "code.zip"}, "Role": role.attributes["Arn"]}
    return {
        "vpc": vpc,
        "subnet": subnets[0].physical_id,
        "other subnet": subnets[1].physical_id,
        "group": group,
        "gateway": gateway,
        "table": bench.create("AWS::EC2::RouteTable", {"VpcId": vpc}).physical_id,
        "address": bench.create("AWS::EC2::EIP", {"Domain": "vpc"}).attributes["AllocationId"],
        "role": "trips",
        "role arn": role.attributes["Arn"],
        "bucket": bucket,
        "key": bench.create("AWS::KMS::Key", {}).physical_id,
        "other key": bench.create("AWS::KMS::Key", {}).physical_id,
        "function": bench.create(
            "AWS::Lambda::Function", {**function, "Runtime": "python3.13", "Handler": "index.handler"}
        ).attributes["Arn"],
    }


def rule(peer: Mapping[str, str], **more: Any) -> Callable[[Ids], dict[str, Any]]:
    def properties(ids: Ids) -> dict[str, Any]:
        resolved = {name: ids.get(value, value) for name, value in peer.items()}
        return {"GroupId": ids["group"], "IpProtocol": "tcp", "FromPort": 988, "ToPort": "1023", **resolved, **more}

    return properties


NETWORK = [
    Trip(
        "AWS::EC2::VPC",
        lambda _: {"CidrBlock": "10.9.0.0/16", "EnableDnsSupport": True, "EnableDnsHostnames": "true", "Tags": TAGS},
        lambda _: {"CidrBlock": "10.9.0.0/16", "EnableDnsSupport": True, "EnableDnsHostnames": False, "Tags": NEW_TAGS},
    ),
    Trip(
        "AWS::EC2::Subnet",
        lambda ids: {
            "VpcId": ids["vpc"],
            "CidrBlock": "10.0.9.0/24",
            "AvailabilityZoneId": "usw2-az4",
            "MapPublicIpOnLaunch": "true",
            "PrivateDnsNameOptionsOnLaunch": {
                "HostnameType": "resource-name",
                "EnableResourceNameDnsARecord": True,
                "EnableResourceNameDnsAAAARecord": True,
            },
            "Tags": TAGS,
        },
        lambda ids: {
            "VpcId": ids["vpc"],
            "CidrBlock": "10.0.9.0/24",
            "AvailabilityZoneId": "usw2-az4",
            "MapPublicIpOnLaunch": False,
            "PrivateDnsNameOptionsOnLaunch": {"HostnameType": "ip-name", "EnableResourceNameDnsARecord": False},
            "EnableDns64": True,
            "Tags": NEW_TAGS,
        },
    ),
    *(
        Trip(
            f"AWS::EC2::SecurityGroup{direction}",
            rule(peer, Description="before"),
            rule(peer, Description="after"),
            next(iter(peer)),
        )
        for direction, other in (("Ingress", "Source"), ("Egress", "Destination"))
        for peer in (
            {"CidrIp": "10.0.0.0/8"},
            {"CidrIpv6": "fd00::/8"},
            {f"{other}SecurityGroupId": "group"},
            {f"{other}PrefixListId": "pl-68a54001"},
        )
    ),
    Trip("AWS::EC2::PlacementGroup", lambda _: {"Strategy": "cluster", "Tags": TAGS}),
    Trip("AWS::EC2::PlacementGroup", lambda _: {"Strategy": "partition", "PartitionCount": "3"}, name="partition"),
    Trip("AWS::EC2::PlacementGroup", lambda _: {"Strategy": "spread", "SpreadLevel": "rack"}, name="spread"),
    Trip("AWS::EC2::InternetGateway", lambda _: {"Tags": TAGS}, lambda _: {"Tags": NEW_TAGS}),
    Trip("AWS::EC2::VPCGatewayAttachment", lambda ids: {"VpcId": ids["vpc"], "InternetGatewayId": ids["gateway"]}),
    Trip("AWS::EC2::EIP", lambda _: {"Domain": "vpc", "Tags": TAGS}, lambda _: {"Domain": "vpc", "Tags": NEW_TAGS}),
    Trip(
        "AWS::EC2::NatGateway",
        lambda ids: {"SubnetId": ids["subnet"], "AllocationId": ids["address"], "Tags": TAGS},
        lambda ids: {"SubnetId": ids["subnet"], "AllocationId": ids["address"], "Tags": NEW_TAGS},
    ),
    Trip(
        "AWS::EC2::RouteTable",
        lambda ids: {"VpcId": ids["vpc"], "Tags": TAGS},
        lambda ids: {"VpcId": ids["vpc"], "Tags": NEW_TAGS},
    ),
    Trip(
        "AWS::EC2::Route",
        lambda ids: {"RouteTableId": ids["table"], "DestinationCidrBlock": "0.0.0.0/0", "GatewayId": ids["gateway"]},
    ),
    Trip(
        "AWS::EC2::SubnetRouteTableAssociation",
        lambda ids: {"RouteTableId": ids["table"], "SubnetId": ids["subnet"]},
    ),
    Trip(
        "AWS::EC2::VPCEndpoint",
        lambda ids: {
            "VpcId": ids["vpc"],
            "ServiceName": "com.amazonaws.us-west-2.s3",
            "VpcEndpointType": "Gateway",
            "RouteTableIds": [ids["table"]],
            "Tags": TAGS,
        },
        lambda ids: {
            "VpcId": ids["vpc"],
            "ServiceName": "com.amazonaws.us-west-2.s3",
            "VpcEndpointType": "Gateway",
            "RouteTableIds": [],
            "PolicyDocument": READ,
            "Tags": NEW_TAGS,
        },
        "gateway",
    ),
    Trip(
        "AWS::EC2::VPCEndpoint",
        lambda ids: {
            "VpcId": ids["vpc"],
            "ServiceName": "com.amazonaws.us-west-2.eks",
            "VpcEndpointType": "Interface",
            "SubnetIds": [ids["subnet"]],
            "SecurityGroupIds": [ids["group"]],
            "PrivateDnsEnabled": True,
        },
        lambda ids: {
            "VpcId": ids["vpc"],
            "ServiceName": "com.amazonaws.us-west-2.eks",
            "VpcEndpointType": "Interface",
            "SubnetIds": [ids["other subnet"]],
            "SecurityGroupIds": [ids["group"]],
            "PrivateDnsEnabled": False,
        },
        "interface",
    ),
    Trip(
        "AWS::EC2::FlowLog",
        lambda ids: {
            "ResourceId": ids["vpc"],
            "ResourceType": "VPC",
            "TrafficType": "ALL",
            "LogDestinationType": "s3",
            "LogDestination": f"arn:aws:s3:::{ids['bucket']}",
            "MaxAggregationInterval": "60",
            "Tags": TAGS,
        },
    ),
    Trip(
        "AWS::EC2::NetworkInterface",
        lambda ids: {
            "SubnetId": ids["subnet"],
            "GroupSet": [ids["group"]],
            "Description": "before",
            "PrivateIpAddress": "10.0.1.77",
            "SourceDestCheck": False,
            "Tags": TAGS,
        },
        lambda ids: {
            "SubnetId": ids["subnet"],
            "GroupSet": [ids["group"]],
            "Description": "after",
            "PrivateIpAddress": "10.0.1.77",
            "SourceDestCheck": True,
            "Tags": NEW_TAGS,
        },
    ),
    Trip(
        "AWS::EC2::Volume",
        lambda _: {
            "AvailabilityZone": "us-west-2a",
            "Size": "10",
            "VolumeType": "gp3",
            "Encrypted": True,
            "Tags": TAGS,
        },
        lambda _: {"AvailabilityZone": "us-west-2a", "Size": 20, "VolumeType": "gp3", "Encrypted": True, "Iops": 4000},
    ),
]

SERVICES = [
    Trip(
        "AWS::IAM::Role",
        lambda _: {
            "RoleName": "worker",
            "Path": "/neuron/",
            "AssumeRolePolicyDocument": TRUST,
            "MaxSessionDuration": "7200",
            "Description": "before",
            "ManagedPolicyArns": ["arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"],
            "Policies": [{"PolicyName": "read", "PolicyDocument": READ}],
            "Tags": TAGS,
        },
        lambda _: {
            "RoleName": "worker",
            "Path": "/neuron/",
            "AssumeRolePolicyDocument": {**TRUST, "Statement": TRUST["Statement"] * 2},
            "MaxSessionDuration": 3600,
            "Description": "after",
            "ManagedPolicyArns": ["arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"],
            "Policies": [{"PolicyName": "write", "PolicyDocument": WRITE}],
            "Tags": NEW_TAGS,
        },
    ),
    Trip(
        "AWS::IAM::Policy",
        lambda ids: {"PolicyName": "inline", "PolicyDocument": READ, "Roles": [ids["role"]]},
        lambda ids: {"PolicyName": "inline", "PolicyDocument": WRITE, "Roles": [ids["role"]]},
    ),
    Trip(
        "AWS::IAM::ManagedPolicy",
        lambda ids: {"ManagedPolicyName": "managed", "PolicyDocument": READ, "Roles": [ids["role"]]},
        lambda _: {"ManagedPolicyName": "managed", "PolicyDocument": WRITE, "Roles": []},
    ),
    Trip("AWS::IAM::InstanceProfile", lambda ids: {"Path": "/neuron/", "Roles": [ids["role"]]}),
    Trip("AWS::IAM::ServiceLinkedRole", lambda _: {"AWSServiceName": "eks.amazonaws.com", "Description": "x"}),
    Trip(
        "AWS::IAM::OIDCProvider",
        lambda _: {"Url": "https://oidc.eks.us-west-2.amazonaws.com/id/A", "ClientIdList": ["a"], "Tags": TAGS},
        lambda _: {"Url": "https://oidc.eks.us-west-2.amazonaws.com/id/A", "ClientIdList": ["b"], "Tags": NEW_TAGS},
    ),
    Trip(
        "AWS::KMS::Alias",
        lambda ids: {"AliasName": "alias/neuron", "TargetKeyId": ids["key"]},
        lambda ids: {"AliasName": "alias/neuron", "TargetKeyId": ids["other key"]},
    ),
    Trip(
        "AWS::Logs::LogGroup",
        lambda _: {
            "LogGroupName": "/neuron/one",
            "RetentionInDays": "30",
            "KmsKeyId": "arn:aws:kms:us-west-2:123456789012:key/1",
            "LogGroupClass": "INFREQUENT_ACCESS",
            "Tags": TAGS,
        },
        lambda _: {"LogGroupName": "/neuron/one", "LogGroupClass": "INFREQUENT_ACCESS", "Tags": NEW_TAGS},
    ),
    Trip(
        "AWS::SSM::Parameter",
        lambda _: {"Type": "String", "Value": "before", "Description": "d", "Tags": {"a": "b"}},
        lambda _: {"Type": "String", "Value": "after", "Description": "d", "Tags": {"a": "c"}},
    ),
    Trip(
        "AWS::Lambda::Permission",
        lambda ids: {
            "FunctionName": ids["function"],
            "Action": "lambda:InvokeFunction",
            "Principal": "events.amazonaws.com",
            "SourceArn": "arn:aws:events:us-west-2:123456789012:rule/x",
        },
    ),
    Trip(
        "AWS::ECR::Repository",
        lambda _: {
            "RepositoryName": "assets",
            "ImageScanningConfiguration": {"ScanOnPush": "true"},
            "ImageTagMutability": "IMMUTABLE",
            "RepositoryPolicyText": {
                "Version": "2012-10-17",
                "Statement": [
                    {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "ecr:BatchGetImage"}
                ],
            },
            "Tags": TAGS,
        },
        lambda _: {"RepositoryName": "assets", "ImageTagMutability": "MUTABLE", "Tags": NEW_TAGS},
    ),
]


@pytest.mark.parametrize("trip", [*NETWORK, *SERVICES], ids=str)
def test_round_trip(bench: Any, ids: Ids, holds: Callable[[Any, Any], bool], trip: Trip) -> None:
    """Create, read, update in place, read, delete, read, delete again."""
    properties = trip.first(ids)
    resource = bench.create(trip.type_name, properties)
    assert holds(bench.read(trip.type_name, resource), properties)
    if trip.then is not None:
        new = trip.then(ids)
        changed = bench.update(trip.type_name, resource, properties, new)
        assert changed.physical_id == resource.physical_id
        assert holds(bench.read(trip.type_name, resource), new)
        properties = new
    bench.delete(trip.type_name, resource, properties)
    with pytest.raises(ClientError):
        bench.read(trip.type_name, resource)
    bench.delete(trip.type_name, resource, properties)


@pytest.mark.parametrize("trip", [trip for trip in [*NETWORK, *SERVICES] if trip.then is not None], ids=str)
def test_an_update_can_be_taken_back(bench: Any, ids: Ids, holds: Callable[[Any, Any], bool], trip: Trip) -> None:
    """The rollback of an update is an update to what was before."""
    assert trip.then is not None
    before, after = trip.first(ids), trip.then(ids)
    resource = bench.create(trip.type_name, before)
    bench.update(trip.type_name, resource, before, after)
    bench.update(trip.type_name, resource, after, before)
    assert holds(bench.read(trip.type_name, resource), before)


@pytest.mark.parametrize("type_name", sorted({trip.type_name for trip in [*NETWORK, *SERVICES]}))
def test_an_unknown_property_is_refused(bench: Any, ids: Ids, type_name: str) -> None:
    """Nothing is dropped in silence, and nothing is made."""
    trip = next(trip for trip in [*NETWORK, *SERVICES] if trip.type_name == type_name)
    with pytest.raises(Exception, match="Nameless") as refusal:
        bench.create(type_name, {**trip.first(ids), "Nameless": "x"})
    assert refusal.type.__name__ == "ParamValidationError"
