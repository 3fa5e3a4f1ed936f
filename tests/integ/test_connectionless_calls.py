"""Calls of the toolkit to a local AWS of the same process: as over a connection, and none is made."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from tests import connectionless_calls

pytestmark = pytest.mark.slow
BUCKET = "connectionless"


@pytest.fixture
def target(aws: LocalAws) -> Iterator[LocalTarget]:
    found = LocalTarget("us-west-2", "111122223333", aws.endpoint)
    yield found
    close_clients(found)


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The requests that were sent over one."""
    sent: list[str] = []
    connect = connectionless_calls.connect

    def noted(self: Any, request: Any) -> Any:
        sent.append(request.url)
        return connect(self, request)

    monkeypatch.setattr(connectionless_calls, "connect", noted)
    return sent


@pytest.fixture
def both(
    target: LocalTarget, connections: list[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[[Any], Any], str], tuple[Any, Any]]:
    """Makes a call without and with a connection; what both return, without what differs from call to call."""

    def calls(call: Callable[[Any], Any], service: str) -> tuple[Any, Any]:
        here = call(client(target, service))
        assert connections == []
        monkeypatch.setattr(connectionless_calls, "answer_here", lambda _: None)
        there = call(client(target, service))
        assert connections
        return here, there

    return calls


@pytest.mark.parametrize(
    ("service", "call"),
    [
        ("sts", lambda sts: sts.get_caller_identity()["Arn"]),  # query
        ("ec2", lambda ec2: ec2.describe_availability_zones()["AvailabilityZones"]),  # ec2
        ("logs", lambda logs: logs.describe_log_groups()["logGroups"]),  # json
        ("eks", lambda eks: eks.list_clusters(maxResults=1)["clusters"]),  # rest-json, with a query that is signed
        ("s3", lambda s3: s3.list_buckets()["Buckets"]),  # rest-xml
    ],
)
def test_each_protocol_answers_the_same(service: str, call: Callable[[Any], Any], both: Any) -> None:
    here, there = both(call, service)
    assert here == there


def test_a_refusal_is_the_same(both: Any) -> None:
    def refused(eks: Any) -> Any:
        with pytest.raises(ClientError) as raised:
            eks.describe_cluster(name="a b/ü")
        return raised.value.response["Error"], raised.value.response["ResponseMetadata"]["HTTPStatusCode"]

    here, there = both(refused, "eks")
    assert here == there


def test_the_signature_is_checked(target: LocalTarget, monkeypatch: pytest.MonkeyPatch, connections: list[str]) -> None:
    monkeypatch.setattr("neuron_cluster.aws.session.secret_of", lambda _: "another")
    with pytest.raises(ClientError, match="The signature does not match"):
        client(target, "eks").list_clusters(maxResults=1)
    assert connections == []


def test_a_dropped_connection_is_one(aws: LocalAws, target: LocalTarget) -> None:
    with aws.faults.dropped_connection("sts", "GetCallerIdentity"), pytest.raises(ConnectionClosedError):
        client(target, "sts").get_caller_identity()


def test_a_file_is_sent(target: LocalTarget, connections: list[str], tmp_path: Path) -> None:
    """As it is read, over a connection; a text in memory is not."""
    file = tmp_path / "file"
    file.write_bytes(b"\0text")
    s3 = client(target, "s3")
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    with file.open("rb") as stream:
        for body in (b"\0text", io.BytesIO(b"\0text"), stream):
            assert connections == []
            s3.put_object(Bucket=BUCKET, Key="a b", Body=body)
            assert s3.get_object(Bucket=BUCKET, Key="a b")["Body"].read() == b"\0text"
    assert len(connections) == 1
