"""Functions keep their whole configuration and hold interfaces in their VPC."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.engine.status_reasons import ResourceFailedError

pytestmark = pytest.mark.slow  # many calls, together longer than a fast module may take

TYPE = "AWS::Lambda::Function"
LAYER = "AWS::Lambda::LayerVersion"
MORE: dict[str, Any] = {
    "Architectures": ["arm64"],
    "Description": "d",
    "Environment": {"Variables": {"KEEP_Case": "x"}},
    "EphemeralStorage": {"Size": 2048},
    "KmsKeyArn": "arn:aws:kms:us-west-2:123456789012:key/1",
    "LoggingConfig": {"LogFormat": "JSON", "LogGroup": "/neuron/kubectl"},
    "MemorySize": "1024",
    "ReservedConcurrentExecutions": 2,
    "Tags": [{"Key": "a", "Value": "b"}],
    "Timeout": "900",
    "TracingConfig": {"Mode": "Active"},
}


@pytest.fixture
def base(bench: Any) -> dict[str, Any]:
    """The least a function needs, with its code in a bucket."""
    bucket = bench.create("AWS::S3::Bucket", {}).physical_id
    with io.BytesIO() as buffer:
        with zipfile.ZipFile(buffer, "w") as files:
            files.writestr("index.py", "def handler(event, context): return event")
        bench.client("s3").put_object(Bucket=bucket, Key="code.zip", Body=buffer.getvalue())
    statement = {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
    trust = {"Version": "2012-10-17", "Statement": [statement]}
    managed = ["arn:aws:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole"]
    role = bench.create("AWS::IAM::Role", {"AssumeRolePolicyDocument": trust, "ManagedPolicyArns": managed})
    return {
        "Code": {"S3Bucket": bucket, "S3Key": "code.zip"},
        "Role": role.attributes["Arn"],
        "Runtime": "python3.13",
        "Handler": "index.handler",
    }


@pytest.mark.parametrize("name", MORE)
def test_each_property_is_put_and_taken_out(
    bench: Any, base: dict[str, Any], holds: Callable[[Any, Any], bool], name: str
) -> None:
    """At creation and in place; without it the service's default is back."""
    plain = bench.read(TYPE, bench.create(TYPE, {**base, "FunctionName": "plain"}))
    function = bench.create(TYPE, {**base, name: MORE[name]})
    assert holds(bench.read(TYPE, function)[name], MORE[name])
    bench.update(TYPE, function, {**base, name: MORE[name]}, base)
    if name not in ("Architectures", "LoggingConfig"):  # the one stays on AWS too, the other holds the name
        assert bench.read(TYPE, function).get(name, "") == plain.get(name, "")
    bench.update(TYPE, function, base, {**base, name: MORE[name]})
    assert holds(bench.read(TYPE, function)[name], MORE[name])


def test_code_and_layers(bench: Any, base: dict[str, Any]) -> None:
    """A layer is published from a bucket, named by its version's ARN and used."""
    layer = bench.create(LAYER, {"Content": base["Code"], "LayerName": "kubectl", "Description": "tools"})
    assert layer.physical_id == f"arn:aws:lambda:us-west-2:{bench.account}:layer:kubectl:1"
    assert bench.read(LAYER, layer)["Description"] == "tools"
    function = bench.create(TYPE, {**base, "Layers": [layer.physical_id]})
    assert bench.read(TYPE, function)["Layers"] == [layer.physical_id]
    bench.delete(LAYER, layer, {})
    with pytest.raises(ClientError, match="ResourceNotFound"):
        bench.read(LAYER, layer)
    bench.delete(LAYER, layer, {})


def test_inline_code_becomes_a_zip(bench: Any, base: dict[str, Any]) -> None:
    """As CloudFormation makes it, and a change of it is a new digest."""
    old = {**base, "Code": {"ZipFile": "def handler(event, context): return 1"}}
    new = {**base, "Code": {"ZipFile": "def handler(event, context): return 2"}}
    function = bench.create(TYPE, old)
    client = bench.client("lambda")
    before = client.get_function_configuration(FunctionName=function.physical_id)["CodeSha256"]
    bench.update(TYPE, function, old, new)
    assert client.get_function_configuration(FunctionName=function.physical_id)["CodeSha256"] != before


def test_inline_code_is_of_node_or_python(bench: Any, base: dict[str, Any]) -> None:
    with pytest.raises(ResourceFailedError, match="ZipFile can only be used when Runtime is set to"):
        bench.create(TYPE, {**base, "Code": {"ZipFile": "class A {}"}, "Runtime": "java21"})
    bench.create(TYPE, {**base, "Code": {"ZipFile": "exports.handler = 1"}, "Runtime": "nodejs22.x"})


def test_a_function_in_a_vpc_holds_interfaces(bench: Any, base: dict[str, Any]) -> None:
    """In each subnet with its groups, until it leaves the VPC or is deleted."""
    vpc = bench.create("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16"})
    subnet = bench.create("AWS::EC2::Subnet", {"VpcId": vpc.physical_id, "CidrBlock": "10.0.0.0/24"})
    group = bench.create("AWS::EC2::SecurityGroup", {"VpcId": vpc.physical_id, "GroupDescription": "kubectl"})
    inside = {**base, "VpcConfig": {"SubnetIds": [subnet.physical_id], "SecurityGroupIds": [group.physical_id]}}
    function = bench.create(TYPE, inside)
    assert bench.read(TYPE, function)["VpcConfig"] == inside["VpcConfig"]
    configuration = bench.client("lambda").get_function_configuration(FunctionName=function.physical_id)
    assert configuration["VpcConfig"]["VpcId"] == vpc.physical_id
    for type_name, held in (("AWS::EC2::Subnet", subnet), ("AWS::EC2::SecurityGroup", group)):
        with pytest.raises(ClientError, match="DependencyViolation"):
            bench.delete(type_name, held, {})
    bench.update(TYPE, function, inside, base)
    assert bench.client("ec2").describe_network_interfaces()["NetworkInterfaces"] == []
    bench.update(TYPE, function, base, inside)
    bench.delete(TYPE, function, inside)
    bench.delete("AWS::EC2::Subnet", subnet, {})
    bench.delete("AWS::EC2::SecurityGroup", group, {})


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"Role": "arn:aws:iam::{account}:role/none"}, "InvalidParameterValueException"),
        ({"VpcConfig": {"SubnetIds": ["subnet-0"], "SecurityGroupIds": ["sg-0"]}}, "'subnet-0' does not exist"),
        ({"Code": {"S3Bucket": "no-such-bucket", "S3Key": "x"}}, "InvalidParameterValueException|NoSuchBucket"),
    ],
)
def test_a_function_that_cannot_be(bench: Any, base: dict[str, Any], wrong: dict[str, Any], code: str) -> None:
    """Roles, subnets and code that are not there."""
    wrong = {k: v.format(account=bench.account) if isinstance(v, str) else v for k, v in wrong.items()}
    with pytest.raises(ClientError, match=code):
        bench.create(TYPE, {**base, **wrong})
    assert bench.client("lambda").list_functions()["Functions"] == []


def test_a_name_is_taken_once(bench: Any, base: dict[str, Any]) -> None:
    """ResourceConflictException."""
    bench.create(TYPE, {**base, "FunctionName": "mine"})
    with pytest.raises(ClientError, match="ResourceConflictException"):
        bench.create(TYPE, {**base, "FunctionName": "mine"})
