"""Properties that CloudFormation's types reject, and resources that count as deleted while a service has them."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from botocore.exceptions import ClientError, ParamValidationError

from local_aws.engine.provider import Resource
from local_aws.engine.status_reasons import ResourceFailedError

PARAMETER = "AWS::SSM::Parameter"


def test_a_required_property_is_required(bench: Any) -> None:
    """One that the schema has among alternatives, too."""
    with pytest.raises(ResourceFailedError, match=r"#: required key \[Value\] not found"):
        bench.create(PARAMETER, {"Type": "String"})
    with pytest.raises(ParamValidationError, match="required property InternetGatewayId is missing"):
        bench.create("AWS::EC2::VPCGatewayAttachment", {"VpcId": "vpc-1"})


def test_a_secure_parameter_is_not_made(bench: Any) -> None:
    with pytest.raises(ResourceFailedError, match=r"#/Type: failed validation constraint for keyword \[enum\]"):
        bench.create(PARAMETER, {"Type": "SecureString", "Value": "x"})
    assert bench.client("ssm").describe_parameters()["Parameters"] == []


def test_a_physical_id_of_another_form_names_no_resource(bench: Any) -> None:
    with pytest.raises(ParamValidationError, match="nonsense is not a valid physical id"):
        bench.read("AWS::PCS::Cluster", Resource("nonsense"))


def test_a_flow_log_to_nowhere_fails(bench: Any) -> None:
    """EC2 answers such a call with success."""
    vpc = bench.create("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16"}).physical_id
    place = {"LogDestinationType": "s3", "LogDestination": "arn:aws:s3:::no-such-bucket-here"}
    wish = {"ResourceId": vpc, "ResourceType": "VPC", "TrafficType": "ALL", **place}
    with pytest.raises(ClientError, match="CreateFlowLogs operation"):
        bench.create("AWS::EC2::FlowLog", wish)


def test_a_directory_bucket_of_a_local_zone_is_not_made(bench: Any) -> None:
    wish = {"LocationName": "usw2-az4", "DataRedundancy": "SingleLocalZone"}
    with pytest.raises(ClientError, match=r"InvalidRequest.*This local AWS has no Local Zones"):
        bench.create("AWS::S3Express::DirectoryBucket", wish)
    assert bench.client("s3").list_buckets()["Buckets"] == []


def test_a_key_that_waits_for_its_deletion_is_gone(bench: Any) -> None:
    key = bench.create("AWS::KMS::Key", {})
    bench.client("kms").schedule_key_deletion(KeyId=key.physical_id, PendingWindowInDays=7)
    with pytest.raises(ClientError, match="is pending deletion"):
        bench.read("AWS::KMS::Key", key)


def test_a_permission_is_gone_while_another_one_is_there(bench: Any) -> None:
    trust = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "lambda.amazonaws.com"}}
    document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
    role = bench.client("iam").create_role(RoleName="runs", AssumeRolePolicyDocument=document)["Role"]["Arn"]
    with io.BytesIO() as packed:
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("index.py", "def handler(event, context): ...")
        code = {"ZipFile": packed.getvalue()}
    given = {"FunctionName": "f", "Role": role, "Runtime": "python3.13", "Handler": "index.handler"}
    bench.client("lambda").create_function(**given, Code=code)
    wish = {"FunctionName": "f", "Action": "lambda:InvokeFunction", "Principal": "events.amazonaws.com"}
    first, _ = (bench.create("AWS::Lambda::Permission", wish, name) for name in ("First", "Second"))
    bench.delete("AWS::Lambda::Permission", first, wish)
    with pytest.raises(ClientError, match="is not found in resource policy"):
        bench.read("AWS::Lambda::Permission", first)


def test_a_stack_in_a_stack_that_fails_fails(bench: Any) -> None:
    s3 = bench.client("s3")
    s3.create_bucket(Bucket="templates-here", CreateBucketConfiguration={"LocationConstraint": bench.region})
    wrong = {"Resources": {"P": {"Type": PARAMETER, "Properties": {"Type": "String"}}}}
    s3.put_object(Bucket="templates-here", Key="wrong.json", Body=json.dumps(wrong))
    url = f"https://templates-here.s3.{bench.region}.amazonaws.com/wrong.json"
    with pytest.raises(ClientError, match=r"was not successfully created: .*failed to create: \[P\]"):
        bench.create("AWS::CloudFormation::Stack", {"TemplateURL": url})
