"""Who calls: the account, Region and service that a signed request names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from msgspec import Struct

ACCOUNT = re.compile(r"\d{12}")
DEFAULT_ACCOUNT = "123456789012"
_CREDENTIAL = re.compile(r"Credential=([^/\s]+)/\d{8}/([^/]+)/([^/]+)/aws4_request")


class Caller(Struct, frozen=True):
    """Taken from a request's signature, whose correctness is not checked: any secret key will do."""

    account: str
    region: str | None
    """None when the request is unsigned."""
    signing_name: str
    """The service as signatures spell it (``elasticfilesystem``); empty when the request is unsigned."""


def caller_of(environ: Mapping[str, Any]) -> Caller:
    """Reads the Authorization header, or the query string of a presigned URL."""
    credential = _CREDENTIAL.search(environ.get("HTTP_AUTHORIZATION", ""))
    if credential is None:
        presigned = parse_qs(environ.get("QUERY_STRING", "")).get("X-Amz-Credential", [""])[0]
        credential = _CREDENTIAL.search(f"Credential={presigned}")
    if credential is None:
        return Caller(DEFAULT_ACCOUNT, None, "")
    access_key, region, signing_name = credential.groups()
    return Caller(account_of(access_key), region, signing_name.lower())


def account_of(access_key: str) -> str:
    """The account an access key belongs to.

    A key of 12 digits is the account itself; keys given out by sts:AssumeRole or iam:CreateAccessKey belong
    to the account that moto made them in; every other key to the default account.
    """
    if ACCOUNT.fullmatch(access_key):
        return access_key
    from moto.iam.models import iam_backends

    # moto's own search asks every partition, and so makes the 1,600 managed policies of each.
    for account, partitions in list(iam_backends.items()):
        if any(access_key in backend.access_keys for backend in list(partitions.values())):
            return str(account)
    return DEFAULT_ACCOUNT
