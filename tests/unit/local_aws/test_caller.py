"""Whose request it is."""

from __future__ import annotations

import pytest

from local_aws.http.caller import Caller, caller_of, signature_of

SIGNED = "AWS4-HMAC-SHA256 Credential={key}/20261121/eu-west-1/eks/aws4_request, SignedHeaders=host, Signature=0"


@pytest.mark.parametrize(
    ("key", "account"), [("111122223333", "111122223333"), ("local", "123456789012"), ("1111222233334", "123456789012")]
)
def test_key_of_twelve_digits_is_the_account(key, account):
    signed = signature_of({"HTTP_AUTHORIZATION": SIGNED.format(key=key)})
    assert caller_of(signed) == Caller(account, "eu-west-1", "eks")


def test_presigned_url_names_its_caller_too():
    query = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=111122223333%2F20261121%2Fus-west-2%2Fs3%2Faws4_request"
    assert caller_of(signature_of({"QUERY_STRING": query})) == Caller("111122223333", "us-west-2", "s3")


def test_unsigned_request_belongs_to_the_default_account_and_no_region():
    assert caller_of(signature_of({})) == Caller("123456789012", None, "")
