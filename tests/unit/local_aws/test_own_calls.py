"""Calls of the local AWS to itself: the same answers as over a connection, and none is made."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import botocore.httpsession
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError, EndpointConnectionError
from moto.core.request import Request
from moto.sqs.models import SQSBackend

from local_aws.clients import local_client
from local_aws.http.in_process_transport import environ_of
from local_aws.run_secrets import secret_of
from local_aws.server import LocalAws

pytestmark = pytest.mark.slow
ACCOUNT, REGION = "600000000000", "eu-west-1"


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with LocalAws() as local_aws:
        yield local_aws


@pytest.fixture
def inside(aws: LocalAws, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Clients as the local AWS uses them, where nobody can make a connection."""

    def fail(*_: object, **__: object) -> None:
        pytest.fail("a connection was made")

    monkeypatch.setattr(botocore.httpsession.URLLib3Session, "send", fail)
    return lambda service: local_client(service, aws.endpoint, ACCOUNT, REGION)


@pytest.fixture
def outside(aws: LocalAws) -> Iterator[Callable[[str], Any]]:
    """Clients as anybody else has them."""
    made = []

    def client(service: str) -> Any:
        config = Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"})
        session = boto3.session.Session(ACCOUNT, secret_of(aws.endpoint), region_name=REGION)
        made.append(session.client(service, endpoint_url=aws.endpoint, config=config))
        return made[-1]

    yield client
    for each in made:
        each.close()


def without_traces(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what differs from call to call."""
    return {key: value for key, value in answer.items() if key != "ResponseMetadata"}


@pytest.mark.parametrize(
    ("service", "operation", "parameters"),
    [
        ("sts", "get_caller_identity", {}),  # query
        ("ec2", "describe_availability_zones", {}),  # ec2
        ("ssm", "describe_parameters", {}),  # json
        ("eks", "describe_addon_versions", {"addonName": "coredns", "kubernetesVersion": "1.35"}),  # rest-json
        ("s3", "list_buckets", {}),  # rest-xml
    ],
)
def test_each_protocol_answers_the_same(
    outside: Callable[[str], Any],
    request: pytest.FixtureRequest,
    service: str,
    operation: str,
    parameters: dict[str, Any],
) -> None:
    over_a_connection = getattr(outside(service), operation)(**parameters)
    answer = getattr(request.getfixturevalue("inside")(service), operation)(**parameters)
    assert without_traces(answer) == without_traces(over_a_connection)
    reported, told_outside = (each["ResponseMetadata"] for each in (answer, over_a_connection))
    assert reported["HTTPStatusCode"] == 200
    assert reported["HTTPHeaders"].keys() <= told_outside["HTTPHeaders"].keys()


def test_a_refusal_has_code_message_and_status(inside: Callable[[str], Any]) -> None:
    with pytest.raises(ClientError) as refused:
        inside("eks").describe_cluster(name="none")
    assert refused.value.response["Error"]["Code"] == "ResourceNotFoundException"
    assert "none" in refused.value.response["Error"]["Message"]
    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 404


def test_a_mistake_of_moto_is_the_same_error(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """moto fails then; the service says so, over a connection and without one."""

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("a mistake")

    monkeypatch.setattr(SQSBackend, "list_queues", fail)
    reported = []
    for clients in ("outside", "inside"):
        with pytest.raises(ClientError) as refused:
            request.getfixturevalue(clients)("sqs").list_queues()
        reported.append(refused.value.response["Error"])
    assert reported[0] == reported[1]
    assert reported[0]["Code"] == "InternalFailure"
    assert "defect of this local AWS, not of the call: RuntimeError" in reported[0]["Message"]


@pytest.mark.parametrize("kind", [bytes, io.BytesIO])
def test_an_object_is_given_and_taken_whole(inside: Callable[[str], Any], kind: Callable[[bytes], Any]) -> None:
    s3 = inside("s3")
    bucket = f"own-calls-{kind.__name__.lower()}"
    s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": REGION})
    body = bytes(range(256)) * 4096
    s3.put_object(Bucket=bucket, Key="a b/ü%2F", Body=kind(body), Metadata={"my_key": "v"})
    found = s3.get_object(Bucket=bucket, Key="a b/ü%2F")
    assert (found["Body"].read(), found["Metadata"]) == (body, {"my_key": "v"})


@pytest.mark.parametrize(
    ("method", "path", "body", "headers"),
    [
        ("POST", "/", b"Action=ListRoles&Version=2010-05-08", {"Content-Type": "application/x-www-form-urlencoded"}),
        (
            "POST",
            "/",
            '{"a": "\xfc"}',
            {"X-Amz-Target": b"Logs_20140328.X", "Content-Type": "application/x-amz-json-1.1"},
        ),
        ("GET", "/clusters/a%2Fb%20\u00fc/addons?maxResults=1&nextToken=a%3D", None, {"User-Agent": "x"}),
        ("PUT", "/bucket/a%20b//c%25;d?versionId=1", b"\x00", {"Content-Length": "1"}),
        ("PUT", "/bucket/~[key]|", b"x", {"Expect": "100-continue", "Transfer-Encoding": "chunked"}),
        ("PUT", "/bucket/key", io.BytesIO(b"stream"), {"x-amz-meta-a_b": "1", "x-amz-meta-c": "\xfc"}),
        ("DELETE", "//bucket", b"", {}),
        ("HEAD", "", b"a", {}),
        ("GET", "/b?prefix=\xfc", "", {}),
    ],
)
def test_the_environment_of_a_request_is_the_one_that_moto_makes(
    method: str, path: str, body: Any, headers: dict[str, Any]
) -> None:
    def made(make: Callable[..., dict[str, Any]]) -> dict[str, Any]:
        if hasattr(body, "seek"):
            body.seek(0)
        environ = make(method, f"http://127.0.0.1:8123{path}", headers, body)
        environ.pop("werkzeug.request", None)
        return environ | {"wsgi.input": environ["wsgi.input"].read()}

    assert made(environ_of) == made(lambda *given: Request.from_primitives(*given).environ)


@pytest.mark.parametrize("service", ["autoscaling", "cloudformation", "ec2", "eks", "fsx", "iam", "lambda", "sts"])
def test_the_rules_of_a_service_name_the_endpoint_that_is_given(outside: Callable[[str], Any], service: str) -> None:
    client = outside(service)
    model = client.meta.service_model
    for name in model.operation_names:
        operation = model.operation_model(name)
        assert not operation.context_parameters
        assert not operation.operation_context_parameters
    found = vars(client)["_ruleset_resolver"].construct_endpoint(operation, {}, {})
    assert (found.url, found.headers, found.properties) == (client.meta.endpoint_url, {}, {})


def test_a_dropped_connection_is_one_here_too(aws: LocalAws, inside: Callable[[str], Any]) -> None:
    with aws.faults.dropped_connection("sts", "GetCallerIdentity") as fault, pytest.raises(ConnectionClosedError):
        inside("sts").get_caller_identity()
    assert fault.injected == 1


def test_nobody_answers_after_the_end(request: pytest.FixtureRequest) -> None:
    """Runs last: it closes the local AWS of this module."""
    closed = request.getfixturevalue("aws")
    closed.close()
    with pytest.raises(EndpointConnectionError):
        local_client("sts", closed.endpoint, ACCOUNT, REGION).get_caller_identity()
