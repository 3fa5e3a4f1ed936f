"""Signatures as botocore makes them: it is asked for each."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from local_aws.http.caller import signature_of
from local_aws.http.signing import SignedParts, signature, signed_headers

HOST, ACCOUNT, KEY = "127.0.0.1:5055", "111122223333", "a made-up key"


@pytest.mark.parametrize("service", ["s3", "eks", "ec2"])
@pytest.mark.parametrize(
    "target",
    [
        "/",
        "/clusters/c%201/access-entries/arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fadmin",
        "/a/./b/../c//d/",
        "/bucket/a%20b/%C3%BC%252F//x",
        "/..",
        "/b?list-type=2&prefix=a%2Fb&delimiter=%2F",
        "/b?policy",
        "/b?a=2&a=1&A=3&b=",
        "/b?%24x=%20&~=.",
    ],
)
def test_botocore_signs_the_same(service: str, target: str) -> None:
    request = AWSRequest("POST", f"http://{HOST}{target}", headers={"X-Amz-Meta-Name": " a   b "}, data=b"body")
    signer = S3SigV4Auth if service == "s3" else SigV4Auth
    signer(Credentials(ACCOUNT, KEY), service, "us-west-2").add_auth(request)
    signed = signature_of(
        {"HTTP_AUTHORIZATION": request.headers["Authorization"], "HTTP_X_AMZ_DATE": request.headers["X-Amz-Date"]}
    )
    assert signed is not None
    given = {name.lower(): str(value) for name, value in request.headers.items()} | {"host": HOST}
    headers = [(name, given[name].encode()) for name in signed.headers]
    url = urlsplit(target)
    payload_hash = signer(Credentials(ACCOUNT, KEY), service, "us-west-2").payload(request)
    parts = SignedParts("POST", url.path, url.query, headers, payload_hash)
    assert signature(KEY, signed.scope, signed.moment, parts) == signed.signature


def test_own_headers_can_be_read_again() -> None:
    headers = signed_headers(KEY, ACCOUNT, "us-west-2", "s3", host=HOST, target="/b/k?x=1", method="PUT", body=b"1")
    signed = signature_of({"HTTP_AUTHORIZATION": headers["Authorization"], "HTTP_X_AMZ_DATE": headers["x-amz-date"]})
    assert signed is not None
    parts = [(name, headers[name].encode()) for name in signed.headers]
    covered = SignedParts("PUT", "/b/k", "x=1", parts, headers["x-amz-content-sha256"])
    assert signature(KEY, signed.scope, signed.moment, covered) == signed.signature
    assert signature("another", signed.scope, signed.moment, covered) != signed.signature
