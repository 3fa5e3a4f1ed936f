"""AWS Signature Version 4: one calculation for who signs and for who checks. Standard library alone: a command that
starts for every chart uses it.

Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
"""

from __future__ import annotations

import functools
import hashlib
import hmac
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple
from urllib.parse import quote

ALGORITHM: Final = "AWS4-HMAC-SHA256"
TERMINATOR: Final = "aws4_request"
UNSIGNED_PAYLOAD: Final = "UNSIGNED-PAYLOAD"
EMPTY_PAYLOAD: Final = hashlib.sha256(b"").hexdigest()
NOT_NORMALIZED: Final = frozenset({"s3"})
"""Services that sign the path as it is sent: keys of objects may hold any character, twice and more."""


class Scope(NamedTuple):
    """The scope in which a signature is valid."""

    date: str
    """``20261123``."""
    region: str
    service: str

    def __str__(self) -> str:
        return f"{self.date}/{self.region}/{self.service}/{TERMINATOR}"


class SignedParts(NamedTuple):
    """The parts of a request that a signature covers."""

    method: str
    path: str
    """As it is sent, with its percent signs."""
    query: str
    """As it is sent, without the signature itself."""
    headers: Sequence[tuple[str, bytes]]
    """Names in small letters, and their values."""
    payload_hash: str


def signature(secret: str, scope: Scope, moment: str, parts: SignedParts) -> str:
    """The signature in hexadecimal digits. ``moment`` is ``20261123T044500Z``."""
    hashed = hashlib.sha256(_canonical_request(scope.service, parts)).hexdigest()
    text = f"{ALGORITHM}\n{moment}\n{scope}\n{hashed}"
    return hmac.new(_signing_key(secret, scope), text.encode(), hashlib.sha256).hexdigest()


def signed_headers(
    secret: str,
    account: str,
    region: str,
    service: str,
    *,
    host: str,
    target: str,
    method: str = "GET",
    body: bytes = b"",
) -> dict[str, str]:
    """Headers that sign a request. ``target`` is path and query as they are sent."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    scope = Scope(moment[:8], region, service)
    payload_hash = hashlib.sha256(body).hexdigest()
    headers = {"host": host, "x-amz-content-sha256": payload_hash, "x-amz-date": moment}
    path, _, query = target.partition("?")
    parts = SignedParts(method, path, query, [(name, value.encode()) for name, value in headers.items()], payload_hash)
    signed = f"SignedHeaders={';'.join(headers)}, Signature={signature(secret, scope, moment, parts)}"
    return {**headers, "Authorization": f"{ALGORITHM} Credential={account}/{scope}, {signed}"}


def _canonical_request(service: str, parts: SignedParts) -> bytes:
    path = parts.path if service in NOT_NORMALIZED else quote(_normalized(parts.path), safe="/~")
    headers = b"".join(b"%s:%s\n" % (name.encode(), b" ".join(value.split())) for name, value in parts.headers)
    first = f"{parts.method}\n{path}\n{_sorted(parts.query)}\n".encode()
    last = f"\n{';'.join(name for name, _ in parts.headers)}\n{parts.payload_hash}".encode()
    return first + headers + last


def _normalized(path: str) -> str:
    """Without ``.``, ``..`` and doubled slashes."""
    retained: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            del retained[-1:]
        elif segment not in ("", "."):
            retained.append(segment)
    return f"/{'/'.join(retained)}{'/' if retained and path.endswith('/') else ''}"


def _sorted(query: str) -> str:
    pairs = sorted(pair.partition("=")[::2] for pair in query.split("&") if pair)
    return "&".join(f"{name}={value}" for name, value in pairs)


@functools.lru_cache(maxsize=64)
def _signing_key(secret: str, scope: Scope) -> bytes:
    key = f"AWS4{secret}".encode()
    for part in (*scope, TERMINATOR):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key
