"""Who calls: the account, Region and service that a signed request names, and the signature that has to prove it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, unquote

from msgspec import Struct

from local_aws.http.signing import ALGORITHM, TERMINATOR, Scope

ACCOUNT = re.compile(r"\d{12}", re.ASCII)
DEFAULT_ACCOUNT = "123456789012"
ALIASES = {"s3express": "s3"}
"""Signing names of a part of a service."""
_CREDENTIAL = re.compile(rf"([^/\s,]+)/(\d{{8}})/([^/\s,]+)/([^/\s,]+)/{TERMINATOR}", re.ASCII)
_HEADER = re.compile(
    rf"{ALGORITHM}\s+Credential=(?P<credential>[^,\s]+),\s*SignedHeaders=(?P<headers>[^,\s]+),\s*Signature=(?P<signature>\w+)",
    re.ASCII,
)
SIGNATURE_PARAMETER = "X-Amz-Signature"
VERSION_2 = frozenset({"AWSAccessKeyId", "Signature", "Expires"})
"""Parameters of a presigned URL by Signature Version 2."""


class Signed(Struct, frozen=True):
    """The fields of a signature."""

    access_key: str
    scope: Scope
    headers: tuple[str, ...]
    """Names of the headers that it covers."""
    signature: str
    moment: str
    """When it was made: ``20261123T044500Z``."""
    valid_seconds: str | None
    """The text in a presigned URL; None for a signature in the headers."""
    expires: str | None = None
    """The end, in Unix time, of a presigned URL of S3 by Signature Version 2, which boto3 makes by default."""


class Caller(Struct, frozen=True):
    """Taken from a request's signature."""

    account: str
    region: str | None
    """None when the request is unsigned."""
    signing_name: str
    """The service as signatures spell it (``elasticfilesystem``); empty when the request is unsigned."""


def signature_of(environ: Mapping[str, Any]) -> Signed | None:
    """Reads the Authorization header, or the query string of a presigned URL; None where there is neither."""
    header = _HEADER.fullmatch(environ.get("HTTP_AUTHORIZATION", "").strip())
    if header is not None:
        moment = environ.get("HTTP_X_AMZ_DATE", "")
        return _signed(header["credential"], header["headers"], header["signature"], moment, None)
    if "HTTP_AUTHORIZATION" in environ:
        return None
    asked = parse_qs(environ.get("QUERY_STRING", ""), max_num_fields=1000)
    found = {name: values[0] for name, values in asked.items()}
    if found.keys() >= VERSION_2:
        access_key, signature, expires = (found[name] for name in ("AWSAccessKeyId", "Signature", "Expires"))
        return Signed(access_key, Scope("", "", "s3"), (), signature, "", None, expires)
    if found.get("X-Amz-Algorithm") != ALGORITHM:
        return None
    return _signed(
        found.get("X-Amz-Credential", ""),
        found.get("X-Amz-SignedHeaders", ""),
        found.get(SIGNATURE_PARAMETER, ""),
        found.get("X-Amz-Date", ""),
        found.get("X-Amz-Expires", ""),
    )


def _signed(credential: str, headers: str, signature: str, moment: str, valid_seconds: str | None) -> Signed | None:
    found = _CREDENTIAL.fullmatch(unquote(credential))
    if found is None:
        return None
    access_key, date, region, service = found.groups()
    scope = Scope(date, region, service)
    return Signed(access_key, scope, tuple(headers.split(";")), signature, moment, valid_seconds)


def caller_of(signed: Signed | None) -> Caller:
    """Whom the signature names; whether it does so rightly, ``admission`` has found out."""
    if signed is None:
        return Caller(DEFAULT_ACCOUNT, None, "")
    service = signed.scope.service.lower()
    return Caller(account_of(signed.access_key), signed.scope.region or None, ALIASES.get(service, service))


def account_of(access_key: str) -> str:
    """The account an access key belongs to.

    A key of 12 digits is the account itself; keys given out by sts:AssumeRole or iam:CreateAccessKey belong
    to the account that moto made them in; every other key to the default account.
    """
    if ACCOUNT.fullmatch(access_key):
        return access_key
    made = made_key(access_key)
    return made[0] if made is not None else DEFAULT_ACCOUNT


def made_key(access_key: str) -> tuple[str, str] | None:
    """Account and secret of a key that STS or IAM gave out here."""
    from moto.iam.models import iam_backends

    # moto's own search asks every partition, and so makes the 1,600 managed policies of each.
    for account, partitions in list(iam_backends.items()):
        for backend in list(partitions.values()):
            key = backend.access_keys.get(access_key)
            if key is not None and key.status == "Active":
                return str(account), str(key.secret_access_key)
    return None
