"""Answers of moto without Flask's contexts are those of moto's server, in each protocol."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from moto.core.request import Request
from moto.moto_api._internal import mock_random
from werkzeug.wrappers import Response

from local_aws.clients import local_client
from local_aws.moto_dispatch import MotoDispatch
from local_aws.server import LocalAws

pytestmark = pytest.mark.slow
ACCOUNT, REGION = "111122223333", "us-west-2"
FORM, JSON = "application/x-www-form-urlencoded; charset=utf-8", "application/x-amz-json-1.1"


@pytest.fixture(scope="module", autouse=True)
def aws() -> Iterator[LocalAws]:
    with LocalAws() as running:
        s3 = local_client("s3", running.endpoint, ACCOUNT, REGION)
        s3.create_bucket(Bucket="bucket", CreateBucketConfiguration={"LocationConstraint": REGION})
        s3.put_object(Bucket="bucket", Key="a/b c", Body=b"content", Metadata={"my_key": "v"})
        yield running


def answered(dispatch: Any, service: str, method: str, path: str, body: bytes, headers: dict[str, str]) -> Any:
    scope = f"Credential={ACCOUNT}/20260101/{REGION}/{service}/aws4_request"
    signed = {"Authorization": f"AWS4-HMAC-SHA256 {scope}, SignedHeaders=host, Signature=none"}
    request = Request.from_primitives(method, f"http://127.0.0.1:9{path}", signed | headers, body)
    environ = request.environ | {"HTTP_X_MOTO_ACCOUNT_ID": ACCOUNT}
    del environ["werkzeug.request"]
    mock_random.seed(1)
    answer = dispatch(environ)
    parts, status, fields = answer.get_wsgi_response(environ)
    retained = sorted((name.lower(), value) for name, value in fields if not name.lower().startswith("access-control-"))
    return status, retained, b"".join(parts)


@pytest.mark.parametrize(
    ("service", "method", "path", "body", "headers", "status"),
    [
        ("ec2", "POST", "/", b"Action=DescribeAvailabilityZones&Version=2016-11-15", {"Content-Type": FORM}, 200),
        ("ec2", "POST", "/", b"Action=DescribeVpcs&VpcId.1=vpc-0", {"Content-Type": FORM}, 400),
        ("iam", "POST", "/", b"Action=ListRoles&Version=2010-05-08", {"Content-Type": FORM}, 200),
        ("iam", "POST", "/", b"Action=GetRole&RoleName=none", {"Content-Type": FORM}, 404),
        ("iam", "POST", "/none/here", b"", {}, 404),
        ("logs", "POST", "/", b"{}", {"X-Amz-Target": "Logs_20140328.DescribeLogGroups", "Content-Type": JSON}, 200),
        ("kms", "POST", "/", b'{"KeyId": "a"}', {"X-Amz-Target": "TrentService.DescribeKey"}, 400),
        ("lambda", "GET", "/2015-03-31/functions/", b"", {}, 200),
        ("lambda", "GET", "/2015-03-31/functions/none", b"", {}, 404),
        ("eks", "GET", "/clusters//nodes", b"", {}, 308),
        ("s3", "GET", "/", b"", {}, 200),
        ("s3", "GET", "/bucket/a/b%20c", b"", {"Range": "bytes=1-3"}, 206),
        ("s3", "HEAD", "/bucket/a/b%20c", b"", {}, 200),
        ("s3", "HEAD", "/none", b"", {}, 404),
        ("s3", "PUT", "/bucket/new", b"a=b", {"Content-Type": FORM}, 200),
        ("s3", "DELETE", "/bucket/none", b"", {}, 204),
    ],
)
def test_an_answer_is_the_one_of_motos_server(
    service: str, method: str, path: str, body: bytes, headers: dict[str, str], status: int
) -> None:
    dispatch = MotoDispatch()
    asked = (service, method, path, body, headers)
    answered(dispatch.answer, *asked)  # a first call makes ids for the account
    ours = answered(dispatch.answer, *asked)
    assert ours == answered(lambda environ: Response.from_app(dispatch, environ), *asked)
    assert ours[0].startswith(str(status))


def test_a_service_that_is_not_served_is_no_answer() -> None:
    for service in ("cloudformation", "instance_metadata", "nothing"):
        with pytest.raises(NotImplementedError):
            answered(MotoDispatch().answer, service, "POST", "/", b"Action=ListStacks", {"Content-Type": FORM})


@pytest.mark.parametrize("key", ["a\nb", "\n", "x/\r\n/y"])
def test_an_object_whose_key_has_a_line_end_is_stored_listed_and_deleted(aws: LocalAws, key: str) -> None:
    s3 = local_client("s3", aws.endpoint, ACCOUNT, REGION)
    s3.put_object(Bucket="bucket", Key=key, Body=b"content")
    assert s3.get_object(Bucket="bucket", Key=key)["Body"].read() == b"content"
    assert key in [each["Key"] for each in s3.list_objects_v2(Bucket="bucket")["Contents"]]
    s3.delete_object(Bucket="bucket", Key=key)
    assert key not in [each["Key"] for each in s3.list_objects_v2(Bucket="bucket")["Contents"]]
