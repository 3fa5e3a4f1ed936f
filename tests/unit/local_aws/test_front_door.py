"""The way of a request: to an operation of ours, or on to moto."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest
from botocore.exceptions import ClientError
from werkzeug.test import Client, EnvironBuilder
from werkzeug.wrappers import Response

from local_aws.contract import ServiceError, Store
from local_aws.engine.stack_engine import StackEngine
from local_aws.http.in_process_transport import OWN_CALL

ENDPOINT = "http://127.0.0.1:9"


def behind(environ):
    """In moto's place: says which body and account reached it."""
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    return Response([b"behind ", environ["HTTP_X_MOTO_ACCOUNT_ID"].encode(), b" ", body], content_type="text/plain")


@pytest.fixture
def call(monkeypatch):
    """Sends a request that needs no proof to a front door that has the given operations and no other."""
    from local_aws.http import front_door

    def send(operations, service, *, account="111122223333", **request):
        monkeypatch.setattr(front_door, "OPERATIONS", operations)
        door = front_door.FrontDoor(behind, Store(), StackEngine({}, ENDPOINT), ENDPOINT, "a secret")
        credential = f"Credential={account}/20261121/eu-west-1/{service}/aws4_request"
        headers = {
            "Authorization": f"AWS4-HMAC-SHA256 {credential}, SignedHeaders=host, Signature=none",
            **request.pop("headers", {}),
        }
        builder = EnvironBuilder(base_url=ENDPOINT, headers=headers, environ_base={OWN_CALL: True}, **request)
        return Client(door).open(builder)

    return send


def query(**parameters):
    body = urlencode(parameters)
    return {"method": "POST", "data": body, "content_type": "application/x-www-form-urlencoded; charset=utf-8"}


def test_query_protocol(call):
    """CloudFormation: parameters with lists in, XML out."""
    seen = []

    def create(given):
        seen.append(given)
        return {"StackId": "id & more"}

    answer = call(
        {("cloudformation", "CreateStack"): create},
        "cloudformation",
        **query(Action="CreateStack", StackName="s", **{"Tags.member.1.Key": "a", "Tags.member.1.Value": "b"}),
    )
    assert (seen[0].account, seen[0].region, seen[0].operation) == ("111122223333", "eu-west-1", "CreateStack")
    assert seen[0].parameters == {"StackName": "s", "Tags": [{"Key": "a", "Value": "b"}]}
    assert [each.text for each in ET.fromstring(answer.text).iter() if each.tag.endswith("StackId")] == ["id & more"]  # noqa: S314 - our own answer


def test_ec2_protocol(call):
    answer = call(
        {
            ("ec2", "CreatePlacementGroup"): lambda given: {
                "PlacementGroup": {"GroupName": given.parameters["GroupName"]}
            }
        },
        "ec2",
        **query(Action="CreatePlacementGroup", GroupName="p"),
    )
    assert "<groupName>p</groupName>" in answer.text


def test_rest_json_protocol_with_a_name_in_the_path(call):
    """An ARN in the path arrives decoded; a time goes out as seconds."""
    operations = {
        ("eks", "DescribeAccessEntry"): lambda given: {
            "accessEntry": {
                "principalArn": given.parameters["principalArn"],
                "clusterName": given.parameters["clusterName"],
                "createdAt": datetime(2026, 11, 21, tzinfo=UTC),
            }
        }
    }
    path = "/clusters/c/access-entries/arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fadmin"
    found = call(operations, "eks", method="GET", path=path).json["accessEntry"]
    assert (found["clusterName"], found["principalArn"]) == ("c", "arn:aws:iam::1:role/admin")
    assert found["createdAt"] == datetime(2026, 11, 21, tzinfo=UTC).timestamp()


def test_json_protocol(call):
    operations = {("fsx", "DeleteFileSystem"): lambda given: {"FileSystemId": given.parameters["FileSystemId"]}}
    answer = call(
        operations,
        "fsx",
        method="POST",
        data=json.dumps({"FileSystemId": "fs-01234567"}),
        content_type="application/x-amz-json-1.1",
        headers={"X-Amz-Target": "AWSSimbaAPIService_v20180301.DeleteFileSystem"},
    )
    assert json.loads(answer.text) == {"FileSystemId": "fs-01234567"}


@pytest.mark.parametrize("namespace", ["com.amazonaws.cloudtrail.v20131101.", ""])
def test_operation_is_found_with_and_without_the_namespace_of_its_target(call, namespace):
    """boto3 sends botocore's prefix whole, the CDK command's SDK only its last part; AWS answers both."""
    answer = call(
        {("cloudtrail", "LookupEvents"): lambda _: {"Events": []}},
        "cloudtrail",
        method="POST",
        data=json.dumps({"MaxResults": 1}),
        content_type="application/x-amz-json-1.1",
        headers={"X-Amz-Target": f"{namespace}CloudTrail_20131101.LookupEvents"},
    )
    assert json.loads(answer.text) == {"Events": []}


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [
        (ServiceError("InvalidVpcID.NotFound", "no such VPC"), "InvalidVpcID.NotFound", "no such VPC"),
        (ClientError({"Error": {"Code": "Busy", "Message": "later"}}, "Op"), "Busy", "later"),
    ],
)
def test_refusals_are_written_as_the_service_writes_them(call, raised, code, message):
    answer = refused(call, raised)
    assert answer.status_code == 400
    assert f"<Code>{code}</Code>" in answer.text
    assert f"<Message>{message}</Message>" in answer.text


def test_refusals_of_moto_are_written_so_too(call):
    from moto.ec2.exceptions import InvalidVPCIdError

    answer = refused(call, InvalidVPCIdError("vpc-1"))
    assert answer.status_code == 400
    assert "<Code>InvalidVpcID.NotFound</Code><Message>VpcID vpc-1 does not exist.</Message>" in answer.text


def refused(call, error):
    """The answer of EC2 where an operation of ours raises this."""

    def refuse(given):
        raise error

    return call({("ec2", "DescribeVpcs"): refuse}, "ec2", **query(Action="DescribeVpcs"))


def test_a_mistake_of_ours_is_an_error_of_the_service_and_no_page_of_html(call, caplog):
    answer = refused(call, KeyError("nic"))
    assert answer.status_code == 500
    assert "<Code>InternalFailure</Code>" in answer.text
    assert "A defect of this local AWS, not of the call: KeyError." in answer.text
    assert "nic" in caplog.text, "the log has the traceback"


def test_a_refusal_that_quotes_what_no_xml_holds_can_be_read(call):
    answer = refused(call, ServiceError("InvalidParameterValue", "bad\x07 \ufffe text\n"))
    (message,) = (each.text for each in ET.fromstring(answer.text).iter() if each.tag.endswith("Message"))  # noqa: S314 - our own answer
    assert message == "bad\ufffd \ufffd text\n"


def test_error_of_the_model_has_the_models_status(call):
    def refuse(given):
        raise ServiceError("ResourceNotFoundException", "no cluster")

    answer = call({("eks", "DescribeCluster"): refuse}, "eks", method="GET", path="/clusters/c")
    assert (answer.status_code, answer.headers["X-Amzn-Errortype"]) == (404, "ResourceNotFoundException")
    assert answer.json["message"] == "no cluster"


def test_status_of_an_error_can_be_given(call):
    def refuse(given):
        raise ServiceError("Whatever", "x", status=409)

    assert call({("ec2", "DescribeVpcs"): refuse}, "ec2", **query(Action="DescribeVpcs")).status_code == 409


@pytest.mark.parametrize(
    ("service", "operation", "request_parts", "code"),
    [
        ("cloudformation", "CreateStack", query(Action="CreateStack"), "ValidationError"),
        ("ec2", "CreateSubnet", query(Action="CreateSubnet"), "MissingParameter"),
        (
            "eks",
            "CreateCluster",
            {"method": "POST", "path": "/clusters", "json": {"name": "c"}},
            "InvalidParameterException",
        ),
    ],
)
def test_input_is_checked_by_the_services_model(call, service, operation, request_parts, code):
    """The operation is not called when a required member is missing."""
    answer = call({(service, operation): lambda _: pytest.fail("called")}, service, **request_parts)
    assert answer.status_code == 400
    assert code in answer.text
    assert "Missing required parameter" in answer.text


def test_other_operations_go_on_with_body_and_account(call):
    answer = call({("ec2", "CreateSubnet"): dict}, "ec2", **query(Action="DescribeVpcs"))
    assert answer.data == b"behind 111122223333 Action=DescribeVpcs"


def test_other_services_go_on_unread(call):
    answer = call(
        {("ec2", "CreateSubnet"): dict}, "sqs", method="POST", input_stream=io.BytesIO(b"abc"), content_length=3
    )
    assert answer.data == b"behind 111122223333 abc"


def test_object_bodies_are_not_read_by_the_front_door(call):
    """An operation on buckets is ours, the upload of an object goes on as a stream."""
    answer = call({("s3", "PutBucketPolicy"): dict}, "s3", method="PUT", path="/bucket/key", data=b"xyz")
    assert answer.data == b"behind 111122223333 xyz"


def test_operation_of_s3_is_told_by_its_query(call):
    seen = []
    call(
        {("s3", "PutBucketPolicy"): lambda given: seen.append(given.parameters) or {}},
        "s3",
        method="PUT",
        path="/bucket",
        query_string="policy",
        data=b"{}",
    )
    assert seen == [{"Bucket": "bucket", "Policy": "{}"}]


def test_key_that_is_no_account_is_the_default_account(call):
    assert call({}, "sqs", account="AKIAIOSFODNN7EXAMPLE").data.startswith(b"behind 123456789012")
