"""Requests that no SDK sends, and calls to what there is not: answered as an error that SDKs read, never as a page."""

from __future__ import annotations

import http.client
import re
from urllib.parse import urlsplit

import pytest

from local_aws.http.signing import signed_headers
from local_aws.run_secrets import secret_of
from local_aws.server import LocalAws

QUERY = {"Content-Type": "application/x-www-form-urlencoded"}
FSX = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "AWSSimbaAPIService_v20180301.DescribeFileSystems"}
LOGS = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "Logs_20140328.CreateLogGroup"}
PRICES = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "AWSPriceListService.GetProducts"}
VPCS = b"Action=DescribeVpcs&Version=2016-11-15"
STACKS = b"Action=ListStacks&Version=2010-05-15"
NOPE = b"Action=Nope&Version=2016-11-15"


def answer(local_aws: LocalAws, scope: str, request: str, headers: dict[str, str], body: bytes) -> tuple[int, str]:
    """Status and text; ``scope`` is Region and service, ``request`` method and path."""
    region, service = scope.split("/")
    method, target = request.split()
    host = urlsplit(local_aws.endpoint).netloc
    secret = secret_of(local_aws.endpoint)
    signed = signed_headers(secret, "410000000000", region, service, host=host, target=target, method=method, body=body)
    connection = http.client.HTTPConnection(host, timeout=30)
    connection.request(method, target, body=body, headers={**signed, **headers})
    response = connection.getresponse()
    return response.status, response.read().decode()


@pytest.mark.parametrize(
    ("scope", "request_line", "headers", "body"),
    [
        ("us-west-2/fsx", "POST /", FSX, b"{bad"),
        ("us-west-2/fsx", "POST /", FSX, b"[1]"),
        ("us-west-2/fsx", "POST /", FSX, b"null"),
        ("us-west-2/fsx", "POST /", FSX, b'{"FileSystemIds": 5}'),
        ("us-west-2/fsx", "POST /", FSX, b"\xff\xfe{"),
        ("us-west-2/logs", "POST /", LOGS, b'"x"'),
        ("us-west-2/eks", "POST /clusters", {}, b"[]"),
        ("us-west-2/eks", "POST /clusters", {}, b'{"name": "a", "roleArn": "b", "resourcesVpcConfig": "x"}'),
    ],
)
def test_a_body_that_is_no_request(
    local_aws: LocalAws, scope: str, request_line: str, headers: dict[str, str], body: bytes
) -> None:
    status, text = answer(local_aws, scope, request_line, headers, body)
    assert (status, "SerializationException" in text) == (400, True)


def test_xml_that_is_none(local_aws: LocalAws) -> None:
    status, text = answer(local_aws, "us-west-2/s3", "PUT /some-bucket?lifecycle", {}, b"<bad")
    assert (status, "<Code>MalformedXML</Code>" in text) == (400, True)


def test_an_empty_body_asks_for_nothing(local_aws: LocalAws) -> None:
    assert answer(local_aws, "us-west-2/fsx", "POST /", FSX, b"") == (200, '{"FileSystems": []}')


@pytest.mark.parametrize(
    ("scope", "request_line", "headers", "body"),
    [
        ("us-west-2/nonsense", "POST /", {}, b""),
        ("us-west-2/pricing", "POST /", PRICES, b"{}"),
        ("us-west-2/ec2", "POST /", QUERY, NOPE),
        ("us-west-2/cloudformation", "POST /", QUERY, NOPE),
        ("us-west-2/eks", "GET /nope/nope", {}, b""),
        ("us-west-2/eks", "GET /clusters/x/fargate-profiles", {}, b""),
    ],
)
def test_what_nobody_knows(
    *,
    local_aws: LocalAws,
    capfd: pytest.CaptureFixture[str],
    scope: str,
    request_line: str,
    headers: dict[str, str],
    body: bytes,
) -> None:
    status, text = answer(local_aws, scope, request_line, headers, body)
    assert (status, "NotImplemented" in text) == (501, True)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("service", "request_line", "headers", "body"),
    [
        ("ec2", "POST /", QUERY, VPCS),
        ("cloudformation", "POST /", QUERY, STACKS),
        ("eks", "GET /clusters", {}, b""),
        ("fsx", "POST /", FSX, b"{}"),
        ("nonsense", "POST /", {}, b""),
    ],
)
def test_a_region_that_there_is_not(
    local_aws: LocalAws, service: str, request_line: str, headers: dict[str, str], body: bytes
) -> None:
    status, text = answer(local_aws, f"us-west-22/{service}", request_line, headers, body)
    assert (status, "UnrecognizedClientException" in text) == (400, True)
    assert re.search(r"This local AWS: there is no Region us-west-22\b", text)
