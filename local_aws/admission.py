"""Who is let in: no web page, and nobody who does not know the secret of this run (docs/adr/0013).

The local AWS runs code and keeps what it is given with the rights of its user. Every process and every web page of the
machine can reach its port, so each request has to prove that it comes from its user: by a signature with the secret
that is made at start and given to its user alone.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from botocore.auth import HmacV1QueryAuth
from botocore.compat import HTTPHeaders
from botocore.credentials import Credentials

from local_aws.api_errors import api_error
from local_aws.http.caller import ACCOUNT, SIGNATURE_PARAMETER, VERSION_2, Signed, made_key
from local_aws.http.error_response import kind_of
from local_aws.http.signing import EMPTY_PAYLOAD, UNSIGNED_PAYLOAD, SignedParts, signature

Environ = dict[str, Any]

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
LONGEST_PRESIGNED = timedelta(days=7)
MOMENT = "%Y%m%dT%H%M%SZ"


def reject_web_pages(environ: Environ) -> None:
    """Raises ServiceError for what a browser sends for a page, and for a name of another machine.

    Browsers send ``Origin`` with every request that may change something and with every one of a script, and
    ``Sec-Fetch-Site`` with all (https://www.w3.org/TR/fetch-metadata/); no SDK sends either.
    """
    try:
        host = urlsplit(f"//{environ.get('HTTP_HOST', '')}").hostname
    except ValueError:
        host = None
    if host not in LOOPBACK:
        raise api_error("common.other_host")
    if "HTTP_ORIGIN" in environ or environ.get("HTTP_SEC_FETCH_SITE", "none") != "none":
        raise api_error("common.web_page")
    if environ.get("REQUEST_METHOD") in ("OPTIONS", "TRACE", "CONNECT"):
        raise api_error("common.method")


def require_signature(environ: Environ, signed: Signed | None, secret: str, body: Callable[[], bytes]) -> None:
    """Raises ServiceError unless the request is signed with the secret of its access key.

    That of an account id is the run's secret; that of any other key the one that STS or IAM gave out with it here.
    ``body`` reads the body, which is called only where no header has its hash.
    """
    kind = kind_of(environ, signed.scope.service.lower() if signed is not None else "")
    if signed is None:
        raise api_error("common.no_signature", kind)
    key_secret = _secret_of_key(signed.access_key, secret)
    if key_secret is None:
        raise api_error("common.unknown_key", kind, key=signed.access_key[:128])
    expected = _expected(environ, signed, key_secret, body)
    if expected is None or not hmac.compare_digest(expected, signed.signature):
        raise api_error("common.wrong_signature", kind)
    if not _is_valid_now(signed):
        raise api_error("common.expired")


def _secret_of_key(access_key: str, secret: str) -> str | None:
    if ACCOUNT.fullmatch(access_key):
        return secret
    made = made_key(access_key)
    return made[1] if made is not None else None


def _expected(environ: Environ, signed: Signed, key_secret: str, body: Callable[[], bytes]) -> str | None:
    """The signature that the request must have; None where it covers too little."""
    if signed.expires is not None:
        return _version_2(environ, signed, key_secret)
    parts = _signed_parts(environ, signed, body)
    return None if parts is None else signature(key_secret, signed.scope, signed.moment, parts)


def _version_2(environ: Environ, signed: Signed, key_secret: str) -> str:
    """Source: https://docs.aws.amazon.com/AmazonS3/latest/API/RESTAuthentication.html, as botocore calculates it."""
    headers = HTTPHeaders()
    for key, value in environ.items():
        if key.startswith("HTTP_X_AMZ_") or key == "HTTP_CONTENT_MD5" or (key == "CONTENT_TYPE" and value):
            headers[key.removeprefix("HTTP_").replace("_", "-")] = value
    url = urlsplit(environ["RAW_URI"])
    retained = [pair for pair in url.query.split("&") if pair.partition("=")[0] not in VERSION_2]
    signer = _Version2(Credentials(signed.access_key, key_secret), signed.expires)
    parts = url._replace(query="&".join(retained))
    return str(signer.get_signature(environ["REQUEST_METHOD"], parts, headers, auth_path=url.path))


class _Version2(HmacV1QueryAuth):  # type: ignore[misc]  # botocore has no types
    """botocore's, for an end that is given and not reckoned from now on."""

    def _get_date(self) -> str:
        return str(self._expires)


def _signed_parts(environ: Environ, signed: Signed, body: Callable[[], bytes]) -> SignedParts | None:
    """None where a header that must be signed is not."""
    if "host" not in signed.headers or not signed.moment.startswith(signed.scope.date):
        return None
    path, _, query = str(environ["RAW_URI"]).partition("?")
    if signed.valid_seconds is None:
        payload_hash = environ.get("HTTP_X_AMZ_CONTENT_SHA256") or hashlib.sha256(body()).hexdigest()
    else:
        query = "&".join(pair for pair in query.split("&") if not pair.startswith(f"{SIGNATURE_PARAMETER}="))
        is_s3 = signed.scope.service == "s3"
        payload_hash = environ.get("HTTP_X_AMZ_CONTENT_SHA256") or (UNSIGNED_PAYLOAD if is_s3 else EMPTY_PAYLOAD)
    headers = [(name, _header(environ, name)) for name in signed.headers]
    return SignedParts(environ["REQUEST_METHOD"], path, query, headers, payload_hash)


def _header(environ: Environ, name: str) -> bytes:
    key = name.upper().replace("-", "_")
    value = environ.get(key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}", "")
    return str(value).encode("latin-1", errors="replace")


def _is_valid_now(signed: Signed) -> bool:
    if signed.expires is not None:
        return signed.expires.isascii() and signed.expires.isdigit() and time.time() <= int(signed.expires[:12])
    if signed.valid_seconds is None:
        return True
    try:
        made = datetime.strptime(signed.moment, MOMENT).replace(tzinfo=UTC)
        valid = timedelta(seconds=int(signed.valid_seconds))
    except (ValueError, OverflowError):
        return False
    return timedelta() < valid <= LONGEST_PRESIGNED and datetime.now(UTC) <= made + valid
