"""Requests at random: whatever is sent, the local AWS answers in time, with an error of a service, and stays whole.

`make test` sends a hundred, the same each time; the exhaustive tier 10,000. A failure names the seed and the number
of the request, and prints its bytes.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import random
import resource
import socket
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

import pytest

from local_aws.http.signing import signed_headers
from local_aws.run_secrets import secret_of
from local_aws.server import LocalAws
from neuron_cluster.local_checks.product_local_aws import product_local_aws

pytestmark = pytest.mark.slow
ACCOUNT, REGION = "430000000000", "us-west-2"
HANG_SECONDS = 2.0
"""Seconds that an answer may take. A busy machine delays one answer, not the same one three times."""
TRIES = 3
LOAD_SECONDS = 60.0
"""Seconds that the first call of a service may take, which loads its model and its part of moto."""
MEMORY_MIB = 300
"""MiB by which a round may let the process grow."""
FEW, MANY = 100, 10_000

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"

TARGETS = {
    "fsx": "AWSSimbaAPIService_v20180301", "logs": "Logs_20140328", "kms": "TrentService", "ssm": "AmazonSSM",
    "dynamodb": "DynamoDB_20120810", "events": "AWSEvents", "ecr": "AmazonEC2ContainerRegistry_V20150921",
    "cloudcontrolapi": "CloudApiService", "pcs": "AWSParallelComputingService", "budgets": "AWSBudgetServiceGateway",
}  # fmt: skip
OPERATIONS = {
    "fsx": ("CreateFileSystem", "DescribeFileSystems", "TagResource"),
    "logs": ("CreateLogGroup", "PutLogEvents", "FilterLogEvents"),
    "kms": ("CreateKey", "Encrypt", "PutKeyPolicy", "CreateGrant"),
    "ssm": ("PutParameter", "GetParametersByPath", "SendCommand", "CreateDocument"),
    "dynamodb": ("CreateTable", "PutItem", "Query", "TransactWriteItems"),
    "events": ("PutRule", "PutEvents", "PutTargets"),
    "ecr": ("CreateRepository", "PutImage", "BatchGetImage"),
    "ec2": ("RunInstances", "CreateVpc", "DescribeInstances", "CreateLaunchTemplate", "AuthorizeSecurityGroupIngress"),
    "iam": ("CreateRole", "PutRolePolicy", "CreatePolicy", "ListRoles"),
    "sts": ("AssumeRole", "GetCallerIdentity", "AssumeRoleWithSAML", "GetFederationToken"),
    "cloudformation": ("CreateStack", "CreateChangeSet", "DescribeStacks", "CreateStackSet", "ValidateTemplate"),
    "sqs": ("CreateQueue", "SendMessage", "ReceiveMessage"),
    "sns": ("CreateTopic", "Publish", "Subscribe"),
    "cloudcontrolapi": ("CreateResource", "UpdateResource", "GetResource", "ListResources", "GetResourceRequestStatus"),
    "pcs": ("CreateCluster", "GetCluster", "ListClusters", "CreateQueue"),
    "budgets": ("CreateBudget", "DescribeBudgets", "DescribeSubscribersForNotification"),
}
PATHS = {
    "eks": ("/clusters", "/clusters/c/node-groups", "/clusters/c/addons", "/tags/x", "/clusters/c/updates/u"),
    "lambda": ("/2015-03-31/functions", "/2015-03-31/functions/f", "/2018-10-31/layers/l/versions"),
    "s3": ("/", "/fuzz", "/fuzz/key", "/fuzz?policy", "/fuzz?lifecycle", "/fuzz/k?uploads", "/fuzz?acl"),
    "apigateway": ("/restapis", "/restapis/r/resources"),
    "batch": ("/v1/createjobqueue", "/v1/submitjob"),
    "backup": ("/backup-vaults/v", "/backup/plans/", "/backup/plans/p/selections/"),
    "imagebuilder": ("/CreateComponent", "/ListComponents", "/CreateImage", "/GetImage"),
    "s3files": ("/file-systems", "/file-systems/f/policy", "/access-points", "/mount-targets"),
    "scheduler": ("/schedules/s", "/schedules", "/schedule-groups/g"),
    "no-such-service": ("/", "/a/b"),
}
NAMES = ("StackName", "TemplateBody", "Name", "RoleArn", "VpcId", "CidrBlock", "Tags.member.1.Key", "Filter.1.Name",
         "Filter.1.Value.1", "ImageId", "MaxResults", "NextToken", "Policy", "RoleName", "name", "tags", "Type",
         "resourcesVpcConfig", "logGroupName", "FunctionName", "Code", "KeySchema", "Item", "TopicArn",
         "Protocol", "TypeName", "DesiredState", "PatchDocument", "Identifier", "clusterName", "bucket",
         "ScheduleExpression", "Budget", "AccountId")  # fmt: skip
TEXTS = ("", "a", "-1", "0", "1e999", "null", "../..", "\x00", "\ufffe", "\U0001f600", "é" * 40, "a" * 70_000, "%",
         "${x}", "arn:aws:iam::1:role/r", "{}", "[]", '{"Resources": {}}', "!!python/object/apply:os.getpid []",
         "10.0.0.0/8", "<a/>", "<" * 500, "AWS::EC2::VPC", "2026-11-23T00:00:00Z", "i-0", "eyJhIjoxfQ==",
         "vpc-00000000")  # fmt: skip


class Request(NamedTuple):
    """Bytes, and whether the client ends its half of the connection after them."""

    data: bytes
    ends: bool


class Fuzz:
    """Draws requests; the same ones for the same seed, but for moments and signatures."""

    def __init__(self, seed: int, endpoint: str) -> None:
        self._random = random.Random(seed)  # noqa: S311 - not for secrets
        self._host = urlsplit(endpoint).netloc
        self._secret = secret_of(endpoint)

    def first(self, service: str) -> Request:
        """A call that is as it should be."""
        target = PATHS.get(service, ("/",))[0]
        headers = {"host": self._host, **self._signed(service, "GET", target, b"")}
        lines = [f"GET {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        return Request("\r\n".join(lines).encode() + b"\r\n\r\n", ends=True)

    def draw(self) -> Request:
        """Most are signed, and get further; some are not, or are broken as HTTP."""
        service = self._random.choice([*OPERATIONS, *PATHS])
        method, target, headers, body = self._call(service)
        if self._random.random() < 0.85:
            headers |= self._signed(service, method, target, body)
        lines, data = self._broken(method, target, headers, body)
        head = "\r\n".join(lines).encode("latin-1", errors="replace")
        return Request(head + b"\r\n\r\n" + data, ends=True)

    def _signed(self, service: str, method: str, target: str, body: bytes) -> dict[str, str]:
        given = signed_headers(
            self._secret, ACCOUNT, REGION, service, host=self._host, target=target, method=method, body=body
        )
        if self._random.random() < 0.1:
            given["Authorization"] = self._scribbled(given["Authorization"])
        return given

    def _call(self, service: str) -> tuple[str, str, dict[str, str], bytes]:
        if service in PATHS:
            target = self._random.choice(PATHS[service])
            if self._random.random() < 0.4:
                target += self._random.choice(("/", "?", "&")) + quote(self._text()[:200])
            method = self._random.choice(("GET", "POST", "PUT", "DELETE", "HEAD", "PATCH"))
            return method, target, {"Content-Type": "application/json"}, self._body()
        operation = self._random.choice((*OPERATIONS[service], "NoSuchOperation"))
        if service in TARGETS:
            headers = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": f"{TARGETS[service]}.{operation}"}
            return "POST", "/", headers, self._body()
        form = {"Action": operation, "Version": "2016-11-15"}
        form |= {self._random.choice(NAMES): self._text() for _ in range(self._random.randrange(5))}
        body = urlencode(form, errors="replace").encode()
        return "POST", "/", {"Content-Type": "application/x-www-form-urlencoded"}, body

    def _body(self) -> bytes:
        kind = self._random.randrange(10)
        if kind == 0:
            return self._random.randbytes(self._random.randrange(300))
        if kind == 1:
            return b"[" * self._random.choice((10, 100_000))
        if kind == 2:
            return b'{"a":' * 50_000
        written = json.dumps(self._value(3)).encode(errors="replace")
        return written[: self._random.randrange(len(written) + 1)] if kind == 3 else written

    def _value(self, depth: int) -> Any:
        kind = self._random.randrange(7 if depth else 5)
        if kind >= 5:
            return {self._random.choice(NAMES): self._value(depth - 1) for _ in range(self._random.randrange(4))}
        return (self._text(), self._random.randrange(-(2**70), 2**70), None, True, [self._text()])[kind]

    def _text(self) -> str:
        return self._random.choice(TEXTS)

    def _scribbled(self, text: str) -> str:
        position = self._random.randrange(len(text))
        return text[:position] + self._random.choice(("", "/", ",", "=", "\t", "é", "AWS4")) + text[position + 1 :]

    def _broken(self, method: str, target: str, headers: dict[str, str], body: bytes) -> tuple[list[str], bytes]:
        """One in three is broken in its first line, its headers or its body."""
        first = f"{method} {target} HTTP/1.1"
        headers = {**headers, "host": self._host, "Content-Length": str(len(body))}
        breaks: list[Callable[[], tuple[str, dict[str, str], bytes]]] = [
            lambda: (first, headers | {"Content-Length": self._random.choice(("-1", "x", "9" * 30, "5,6", ""))}, body),
            lambda: (first, headers | {"Content-Length": str(len(body) + self._random.choice((1, 100_000)))}, body),
            lambda: (first, self._chunked(headers), self._chunks(body)),
            lambda: (f"{method} {self._scribbled(target)} HTTP/1.1", headers, body),
            lambda: (self._scribbled(first), headers, body),
            lambda: (first, headers | {"host": self._random.choice(("evil.example", "[::1", "", "127.0.0.1:x"))}, body),
            lambda: (first, headers | {self._random.choice(("Origin", "X" * 70_000, "X-Amz-Target")): "a.b"}, body),
            lambda: (first, headers | {f"X-{number}": "y" for number in range(150)}, body),
            lambda: (first, {**headers, "Expect": "100-continue"}, body),
            lambda: (f"{method} /%ff%00{target} HTTP/1.1", headers, body),
        ]
        if self._random.random() < 0.33:
            first, headers, body = self._random.choice(breaks)()
        return [first, *(f"{name}: {value}" for name, value in headers.items())], body

    def _chunked(self, headers: dict[str, str]) -> dict[str, str]:
        rest = {name: value for name, value in headers.items() if name != "Content-Length"}
        return rest | {"Transfer-Encoding": self._random.choice(("chunked", "chunked", "gzip, chunked", "identity"))}

    def _chunks(self, body: bytes) -> bytes:
        size = self._random.choice((b"%x" % len(body), b"f" * 17, b"fffffffff", b"-1", b"zz", b"", b"1" * 2_000))
        end = self._random.choice((b"\r\n0\r\n\r\n", b"", b"\r\n", b"0\r\n" + b"t: x\r\n" * 100))
        return size + b"\r\n" + body + end


def answer_to(endpoint: str, request: Request, seconds: float = HANG_SECONDS) -> bytes:
    """All that comes back. Raises TimeoutError where nothing does for too long."""
    url = urlsplit(endpoint)
    with socket.create_connection((url.hostname or "", url.port or 0), timeout=seconds) as connection:
        parts = []
        try:
            connection.sendall(request.data)
            if request.ends:
                connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(1_000_000):
                parts.append(part)
        except (BrokenPipeError, ConnectionResetError):  # an answer before all was sent
            pass
        return b"".join(parts)


def answer_in_time(endpoint: str, request: Request) -> bytes | None:
    """All that comes back, or None where nothing does for too long, however often it is asked."""
    for _ in range(TRIES):
        started = time.monotonic()
        with contextlib.suppress(TimeoutError):
            answer = answer_to(endpoint, request)
            if time.monotonic() - started < HANG_SECONDS:
                return answer
    return None


def is_service_error(answer: bytes) -> bool:
    """Whether SDKs find a code in it: in the header or the body of the JSON protocols, or in an element of XML."""
    head, _, body = answer.removeprefix(CONTINUE).partition(b"\r\n\r\n")
    if body.startswith(b"{"):
        return b"x-amzn-errortype:" in head.lower() or "__type" in json.loads(body)
    return ET.fromstring(body).findtext(".//{*}Code") not in (None, "")  # noqa: S314 - of our own server


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


def send_many(aws: LocalAws, seed: int, number: int, caplog: pytest.LogCaptureFixture) -> dict[int, int]:
    """Sends that many and holds each answer against what may be; statuses with how often they came."""
    caplog.set_level(logging.ERROR)
    fuzz, statuses = Fuzz(seed, aws.endpoint), dict[int, int]()
    for service in (*OPERATIONS, *PATHS):
        answer_to(aws.endpoint, fuzz.first(service), LOAD_SECONDS)
    before, threads = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, set(threading.enumerate())
    for count in range(number):
        request = fuzz.draw()
        which = f"seed {seed}, request {count}: {request.data[:2_000]!r}"
        answer = answer_in_time(aws.endpoint, request)
        assert answer is not None, f"no answer within {HANG_SECONDS} s: {which}"
        last = answer.removeprefix(CONTINUE)[9:]
        status = int(last[:3]) if last[:3].isdigit() else 0  # none: HTTP/0.9, or a connection that was cut
        statuses[status] = statuses.get(status, 0) + 1
        assert status != 500, f"{which}\n{answer[:2_000]!r}"
        assert b"<html" not in answer.lower(), f"{which}\n{answer[:2_000]!r}"
        is_read = status < 400 or request.data.startswith(b"HEAD") or is_service_error(answer)
        assert is_read, f"{which}\n{answer[:2_000]!r}"
        assert not caplog.records, f"{which}\n{caplog.text[-4_000:]}"
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown < MEMORY_MIB, f"seed {seed}: the process grew by {grown:.0f} MiB"
    for thread in set(threading.enumerate()) - threads:
        thread.join(HANG_SECONDS)
        assert not thread.is_alive(), f"seed {seed}: {thread.name} has not ended"
    return statuses


def test_a_hundred_requests(aws: LocalAws, caplog: pytest.LogCaptureFixture, capfd: Any) -> None:
    statuses = send_many(aws, 19, FEW, caplog)
    assert "Traceback" not in capfd.readouterr().err
    assert {200, 400, 403} <= statuses.keys(), "the requests meet calls that work, too"


@pytest.mark.exhaustive
def test_ten_thousand_requests(aws: LocalAws, caplog: pytest.LogCaptureFixture, capfd: Any) -> None:
    send_many(aws, int(os.environ.get("NEURON_CLUSTER_SEED", "1")), MANY, caplog)
    assert "Traceback" not in capfd.readouterr().err
