"""Every type: what is created and changed is read back from the service, and is gone after the deletion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from botocore.exceptions import ClientError, ParamValidationError

from local_aws.engine.provider import ResourceContext
from local_aws.engine.status_reasons import ResourceFailedError
from local_aws.handlers.discover import discover_providers
from local_aws.handlers.service_resource import ServiceResource
from tests.every_case import every_case

Ids = Mapping[str, str]
Recipe = Callable[[Ids], tuple[str, dict[str, Any], str]]
PROVIDERS = {name: each for name, each in discover_providers().items() if isinstance(each, ServiceResource)}
TAGS = [{"Key": "Name", "Value": "first"}, {"Key": "gone", "Value": "later"}]
NEW_TAGS = [{"Key": "Name", "Value": "second"}]
SERVICES_OF_ROLES = ["ec2.amazonaws.com", "lambda.amazonaws.com"]
TRUST = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": SERVICES_OF_ROLES}, "Action": "sts:AssumeRole"}],
}
TOPIC = "arn:aws:sns:us-west-2:123456789012:on-call"
ALARM = {
    "AlarmName": "trips",
    "AlarmDescription": "words",
    "Namespace": "ContainerInsights",
    "MetricName": "node_neuron_execution_errors_total",
    "Dimensions": [{"Name": "ClusterName", "Value": "trips"}],
    "Statistic": "Sum",
    "ComparisonOperator": "GreaterThanThreshold",
    "Period": "300",
    "EvaluationPeriods": 1,
    "DatapointsToAlarm": 1,
    "TreatMissingData": "notBreaching",
    "ActionsEnabled": True,
    "Unit": "Count",
}
READ = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}]}
WRITE = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:PutObject", "Resource": "*"}]}
OIDC = {"Url": "https://oidc.eks.us-west-2.amazonaws.com/id/A"}


@dataclass(frozen=True)
class RoundTrip:
    """Properties at first, then after an update in place; ``ids`` are the resources of the ``ids`` fixture."""

    type_name: str
    first: Callable[[Ids], dict[str, Any]]
    then: Callable[[Ids], dict[str, Any]] | None = None
    name: str = ""

    def __str__(self) -> str:
        return f"{self.type_name.removeprefix('AWS::')}{'-' if self.name else ''}{self.name}"


class Resources(dict[str, str]):
    """Resources to which the trips refer, created when they are needed."""

    def __init__(self, bench: Any) -> None:
        super().__init__()
        self.bench = bench

    def __missing__(self, name: str) -> str:
        type_name, properties, attribute = RECIPES[name](self)
        resource = self.bench.create(type_name, properties)
        self[name] = resource.attributes[attribute] if attribute else resource.physical_id
        return self[name]


def subnet(number: int) -> Recipe:
    place = {"CidrBlock": f"10.0.{number}.0/24", "AvailabilityZoneId": f"usw2-az{number}"}
    return lambda ids: ("AWS::EC2::Subnet", {"VpcId": ids["vpc"], **place}, "")


def role(name: str, attribute: str) -> Recipe:
    return lambda _: ("AWS::IAM::Role", {"RoleName": name, "AssumeRolePolicyDocument": TRUST}, attribute)


RECIPES: dict[str, Recipe] = {
    "vpc": lambda _: ("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16", "EnableDnsHostnames": True}, ""),
    "subnet": subnet(1),
    "other subnet": subnet(2),
    "group": lambda ids: ("AWS::EC2::SecurityGroup", {"VpcId": ids["vpc"], "GroupDescription": "of the trips"}, ""),
    "launch template": lambda _: (
        "AWS::EC2::LaunchTemplate",
        {"LaunchTemplateData": {"ImageId": "ami-12345678", "InstanceType": "m7i.large"}},
        "",
    ),
    "gateway": lambda _: ("AWS::EC2::InternetGateway", {}, ""),
    "other gateway": lambda _: ("AWS::EC2::InternetGateway", {}, ""),
    "NAT gateway": lambda ids: ("AWS::EC2::NatGateway", public_gateway(ids, []), ""),
    "attachment": lambda ids: (
        "AWS::EC2::VPCGatewayAttachment",
        {"VpcId": ids["vpc"], "InternetGatewayId": ids["gateway"]},
        "",
    ),
    "table": lambda ids: ("AWS::EC2::RouteTable", {"VpcId": ids["vpc"]}, ""),
    "address": lambda _: ("AWS::EC2::EIP", {"Domain": "vpc"}, "AllocationId"),
    "role": role("trips", ""),
    "role arn": role("functions", "Arn"),
    "bucket": lambda _: ("AWS::S3::Bucket", {}, ""),
    "key": lambda _: ("AWS::KMS::Key", {}, ""),
    "other key": lambda _: ("AWS::KMS::Key", {}, ""),
    "function": lambda ids: (
        "AWS::Lambda::Function",
        {
            "Code": {"ZipFile": "def handler(event, context): return event"},
            "Role": ids["role arn"],
            "Runtime": "python3.13",
            "Handler": "index.handler",
        },
        "Arn",
    ),
}
"""Type, properties and the attribute that is wanted instead of the physical id."""


@pytest.fixture
def ids(bench: Any) -> Ids:
    return Resources(bench)


def public_gateway(ids: Ids, tags: list[dict[str, str]]) -> dict[str, Any]:
    """A NAT gateway in a VPC with an internet gateway."""
    assert ids["attachment"]
    return {"SubnetId": ids["subnet"], "AllocationId": ids["address"], "Tags": tags}


def scaled(ids: Ids) -> dict[str, Any]:
    """A group of one instance."""
    return {
        "AutoScalingGroupName": "trips",
        "MinSize": "0",
        "MaxSize": "2",
        "DesiredCapacity": "1",
        "HealthCheckType": "EC2",
        "HealthCheckGracePeriod": 60,
        "NewInstancesProtectedFromScaleIn": False,
        "LaunchTemplate": {"LaunchTemplateId": ids["launch template"], "Version": "1"},
        "VPCZoneIdentifier": [ids["subnet"]],
        "Tags": [{**tag, "PropagateAtLaunch": True} for tag in TAGS],
    }


def scaled_otherwise(ids: Ids) -> dict[str, Any]:
    changed = {"MinSize": "1", "MaxSize": "3", "DesiredCapacity": "2", "HealthCheckGracePeriod": 90}
    tags = [{**tag, "PropagateAtLaunch": False} for tag in NEW_TAGS]
    return {**scaled(ids), **changed, "VPCZoneIdentifier": [ids["subnet"], ids["other subnet"]], "Tags": tags}


def rule(peer: Mapping[str, str], **more: Any) -> Callable[[Ids], dict[str, Any]]:
    def properties(ids: Ids) -> dict[str, Any]:
        resolved = {name: ids[value] if value == "group" else value for name, value in peer.items()}
        return {"GroupId": ids["group"], "IpProtocol": "tcp", "FromPort": 988, "ToPort": "1023", **resolved, **more}

    return properties


def of_bucket(policy: Mapping[str, Any], bucket: str) -> dict[str, Any]:
    """The policy as one of a bucket that logs are delivered to."""
    own = {"Principal": {"Service": "delivery.logs.amazonaws.com"}, "Resource": f"arn:aws:s3:::{bucket}/*"}
    return {**policy, "Statement": [{**each, **own} for each in policy["Statement"]]}


def route(destination: Mapping[str, str], target: str) -> Callable[[Ids], dict[str, Any]]:
    resource = {"GatewayId": "gateway", "NatGatewayId": "NAT gateway"}[target]

    def properties(ids: Ids) -> dict[str, Any]:
        assert ids["attachment"]
        return {"RouteTableId": ids["table"], **destination, target: ids[resource]}

    return properties


def budget(usd: int) -> dict[str, Any]:
    """One with two notifications."""
    return {
        "Budget": {
            "BudgetName": "trips",
            "BudgetType": "COST",
            "TimeUnit": "MONTHLY",
            "BudgetLimit": {"Amount": usd, "Unit": "USD"},
            "CostFilters": {"TagKeyValue": ["user:team$trips"]},
        },
        "NotificationsWithSubscribers": [
            {
                "Notification": {
                    "ComparisonOperator": "GREATER_THAN",
                    "NotificationType": kind,
                    "Threshold": threshold,
                    "ThresholdType": "PERCENTAGE",
                },
                "Subscribers": [{"Address": "trips@example.com", "SubscriptionType": "EMAIL"}],
            }
            for kind, threshold in (("ACTUAL", 80), ("FORECASTED", 99.5))
        ],
    }


NETWORK = [
    RoundTrip(
        "AWS::EC2::VPC",
        lambda _: {"CidrBlock": "10.9.0.0/16", "EnableDnsSupport": True, "EnableDnsHostnames": "true", "Tags": TAGS},
        lambda _: {"CidrBlock": "10.9.0.0/16", "EnableDnsSupport": True, "EnableDnsHostnames": False, "Tags": NEW_TAGS},
    ),
    RoundTrip(
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
            "EnableDns64": False,
            "Tags": NEW_TAGS,
        },
    ),
    *(
        RoundTrip(
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
    RoundTrip("AWS::EC2::PlacementGroup", lambda _: {"Strategy": "cluster", "Tags": TAGS}),
    RoundTrip("AWS::EC2::PlacementGroup", lambda _: {"Strategy": "partition", "PartitionCount": "3"}, name="partition"),
    RoundTrip("AWS::EC2::PlacementGroup", lambda _: {"Strategy": "spread", "SpreadLevel": "rack"}, name="spread"),
    RoundTrip("AWS::EC2::InternetGateway", lambda _: {"Tags": TAGS}, lambda _: {"Tags": NEW_TAGS}),
    RoundTrip("AWS::EC2::VPCCidrBlock", lambda ids: {"VpcId": ids["vpc"], "CidrBlock": "100.64.0.0/16"}),
    RoundTrip(
        "AWS::EC2::VPCGatewayAttachment",
        lambda ids: {"VpcId": ids["vpc"], "InternetGatewayId": ids["gateway"]},
        lambda ids: {"VpcId": ids["vpc"], "InternetGatewayId": ids["other gateway"]},
    ),
    RoundTrip(
        "AWS::EC2::EIP", lambda _: {"Domain": "vpc", "Tags": TAGS}, lambda _: {"Domain": "vpc", "Tags": NEW_TAGS}
    ),
    RoundTrip("AWS::EC2::NatGateway", lambda ids: public_gateway(ids, TAGS), lambda ids: public_gateway(ids, NEW_TAGS)),
    RoundTrip(
        "AWS::EC2::RouteTable",
        lambda ids: {"VpcId": ids["vpc"], "Tags": TAGS},
        lambda ids: {"VpcId": ids["vpc"], "Tags": NEW_TAGS},
    ),
    *(
        RoundTrip("AWS::EC2::Route", route(to, "GatewayId"), route(to, "NatGatewayId"), next(iter(to)))
        for to in ({"DestinationCidrBlock": "0.0.0.0/0"}, {"DestinationIpv6CidrBlock": "64:ff9b::/96"})
    ),
    RoundTrip(
        "AWS::EC2::SubnetRouteTableAssociation",
        lambda ids: {"RouteTableId": ids["table"], "SubnetId": ids["subnet"]},
    ),
    RoundTrip(
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
            "PolicyDocument": {**READ, "Statement": [{**each, "Principal": "*"} for each in READ["Statement"]]},
            "Tags": NEW_TAGS,
        },
        "gateway",
    ),
    RoundTrip(
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
    RoundTrip(
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
    RoundTrip(
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
    RoundTrip(
        "AWS::EC2::Volume",
        lambda _: {
            "AvailabilityZone": "us-west-2a",
            "Size": "20",  # as after the update: what has grown does not shrink again
            "VolumeType": "gp3",
            "Encrypted": True,
            "Tags": TAGS,
        },
        lambda _: {"AvailabilityZone": "us-west-2a", "Size": 20, "VolumeType": "gp3", "Encrypted": True, "Iops": 4000},
    ),
]

SERVICES = [
    RoundTrip(
        "AWS::IAM::Role",
        lambda _: {
            "RoleName": "worker",
            "Path": "/neuron/",
            "AssumeRolePolicyDocument": TRUST,
            "MaxSessionDuration": "7200",
            "Description": "before",
            "ManagedPolicyArns": ["arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"],
            "Policies": [{"PolicyName": "read", "PolicyDocument": READ}],
            "PermissionsBoundary": "arn:aws:iam::aws:policy/AmazonEKSClusterPolicy",
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
    RoundTrip(
        "AWS::IAM::Policy",
        lambda ids: {"PolicyName": "inline", "PolicyDocument": READ, "Roles": [ids["role"]]},
        lambda ids: {"PolicyName": "inline", "PolicyDocument": WRITE, "Roles": [ids["role"]]},
    ),
    RoundTrip(
        "AWS::IAM::ManagedPolicy",
        lambda ids: {"ManagedPolicyName": "managed", "PolicyDocument": READ, "Roles": [ids["role"]]},
        lambda _: {"ManagedPolicyName": "managed", "PolicyDocument": WRITE, "Roles": []},
    ),
    RoundTrip("AWS::IAM::InstanceProfile", lambda ids: {"Path": "/neuron/", "Roles": [ids["role"]]}),
    RoundTrip(
        "AWS::IAM::ServiceLinkedRole",
        lambda _: {"AWSServiceName": "eks.amazonaws.com", "Description": "before"},
        lambda _: {"AWSServiceName": "eks.amazonaws.com", "Description": "after"},
    ),
    RoundTrip(
        "AWS::IAM::OIDCProvider",
        lambda _: {**OIDC, "ClientIdList": ["a"], "ThumbprintList": ["a" * 40], "Tags": TAGS},
        lambda _: {**OIDC, "ClientIdList": ["b"], "ThumbprintList": ["b" * 40, "c" * 40], "Tags": NEW_TAGS},
    ),
    RoundTrip(
        "AWS::S3::BucketPolicy",
        lambda ids: {"Bucket": ids["bucket"], "PolicyDocument": of_bucket(READ, ids["bucket"])},
        lambda ids: {"Bucket": ids["bucket"], "PolicyDocument": of_bucket(WRITE, ids["bucket"])},
    ),
    RoundTrip(
        "AWS::KMS::Alias",
        lambda ids: {"AliasName": "alias/neuron", "TargetKeyId": ids["key"]},
        lambda ids: {"AliasName": "alias/neuron", "TargetKeyId": ids["other key"]},
    ),
    RoundTrip(
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
    RoundTrip(
        "AWS::CloudWatch::Alarm",
        lambda _: {**ALARM, "Threshold": 0, "AlarmActions": [TOPIC], "OKActions": [TOPIC], "Tags": TAGS},
        lambda _: {**ALARM, "Threshold": 2.5, "AlarmDescription": "other words", "Tags": NEW_TAGS},
    ),
    RoundTrip(
        "AWS::CloudWatch::Dashboard",
        lambda _: {"DashboardName": "trips", "DashboardBody": '{"widgets": []}', "Tags": TAGS},
        lambda _: {
            "DashboardName": "trips",
            "DashboardBody": '{"widgets": [{"type": "text", "properties": {"markdown": ""}}]}',
            "Tags": NEW_TAGS,
        },
    ),
    RoundTrip(
        "AWS::SSM::Parameter",
        lambda _: {"Type": "String", "Value": "before", "Description": "d", "Tags": {"a": "b"}},
        lambda _: {"Type": "String", "Value": "after", "Description": "d", "Tags": {"a": "c"}},
    ),
    RoundTrip(
        "AWS::SSM::Association",
        lambda _: {
            "Name": "AWS-RunShellScript",
            "AssociationName": "trips",
            "Targets": [{"Key": "InstanceIds", "Values": ["i-0123456789abcdef0"]}],
            "Parameters": {"commands": ["true", "uname"]},
            "ScheduleExpression": "rate(1 day)",
            "Tags": TAGS,
        },
        lambda _: {
            "Name": "AWS-RunShellScript",
            "Targets": [{"Key": "InstanceIds", "Values": ["i-0123456789abcdef1"]}],
            "Parameters": {"commands": ["false"]},
            "Tags": NEW_TAGS,
        },
    ),
    RoundTrip(
        "AWS::Lambda::Permission",
        lambda ids: {
            "FunctionName": ids["function"],
            "Action": "lambda:InvokeFunction",
            "Principal": "events.amazonaws.com",
            "SourceArn": "arn:aws:events:us-west-2:123456789012:rule/x",
        },
    ),
    RoundTrip("AWS::AutoScaling::AutoScalingGroup", scaled, scaled_otherwise),
    RoundTrip("AWS::Budgets::Budget", lambda _: budget(2000), lambda _: budget(3000)),
    RoundTrip(
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
    RoundTrip(
        "AWS::ECR::PullThroughCacheRule",
        lambda _: {
            "EcrRepositoryPrefix": "trips/k8s",
            "UpstreamRegistry": "k8s",
            "UpstreamRegistryUrl": "registry.k8s.io",
        },
    ),
    RoundTrip(
        "AWS::ECR::RepositoryCreationTemplate",
        lambda _: {
            "Prefix": "trips/k8s",
            "AppliedFor": ["PULL_THROUGH_CACHE"],
            "Description": "before",
            "EncryptionConfiguration": {"EncryptionType": "AES256"},
            "ImageTagMutability": "IMMUTABLE",
        },
        lambda _: {
            "Prefix": "trips/k8s",
            "AppliedFor": ["PULL_THROUGH_CACHE", "CREATE_ON_PUSH"],
            "ImageTagMutability": "MUTABLE",
        },
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("trip", [*NETWORK, *SERVICES], ids=str)
def test_round_trip(bench: Any, ids: Ids, holds: Callable[[Any, Any], bool], trip: RoundTrip) -> None:
    """Create, read, update in place, read, take the update back as a rollback does, read, delete, delete again."""
    first = trip.first(ids)
    resource = bench.create(trip.type_name, first)
    assert holds(bench.read(trip.type_name, resource), first)
    if trip.then is not None:
        then = trip.then(ids)
        changed = bench.update(trip.type_name, resource, first, then)
        assert changed.physical_id == resource.physical_id
        assert holds(bench.read(trip.type_name, resource), then)
        bench.update(trip.type_name, resource, then, first)
        assert holds(bench.read(trip.type_name, resource), first)
    bench.delete(trip.type_name, resource, first)
    with pytest.raises(ClientError):
        bench.read(trip.type_name, resource)
    bench.delete(trip.type_name, resource, first)


@every_case("type_name", sorted(PROVIDERS))
def test_an_unknown_property_is_refused(type_name: str) -> None:
    """Nothing is dropped in silence: the refusal comes before any call."""
    nowhere = ResourceContext("123456789012", "us-west-2", "s", "arn", "L", "http://127.0.0.1:1", {})
    with pytest.raises((ParamValidationError, ResourceFailedError), match="Nameless"):
        PROVIDERS[type_name].create(nowhere, {"Nameless": "x"})
