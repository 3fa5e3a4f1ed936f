"""A request's body in memory, so that this local AWS and moto can both read it."""

from __future__ import annotations

import io
from typing import Any

from local_aws.http.request_body import LARGEST_CALL, too_large

Environ = dict[str, Any]

KEPT = "neuron_cluster.body"
"""Where a WSGI environment holds it."""
SMALL = 64 * 1024
"""Bytes: more than the policy, the tags or the other settings of a bucket take."""


def keep_body(environ: Environ) -> bytes:
    """Reads the body into memory once, so that several readers can have it. Raises ServiceError for one too large."""
    if KEPT in environ:
        return bytes(environ[KEPT])
    stream = environ["wsgi.input"]
    if environ.get("wsgi.input_terminated"):
        body = stream.read(LARGEST_CALL + 1) if isinstance(stream, io.BytesIO) else _read_all(stream)
        environ["CONTENT_LENGTH"] = str(len(body))
    else:
        body = stream.read(int(environ.get("CONTENT_LENGTH") or 0))
    environ[KEPT] = body
    rewind(environ)
    return bytes(body)


def has_small_body(environ: Environ) -> bool:
    """Whether the request says that its body is small, or that it has none."""
    return "HTTP_TRANSFER_ENCODING" not in environ and int(environ.get("CONTENT_LENGTH") or 0) <= SMALL


def _read_all(stream: Any) -> bytes:
    parts: list[bytes] = []
    left = LARGEST_CALL
    while data := stream.read(1024 * 1024):
        left -= len(data)
        if left < 0:
            raise too_large(LARGEST_CALL)
        parts.append(data)
    return b"".join(parts)


def forget_body(environ: Environ) -> None:
    """After moto has read a body that was not kept: to read on would wait for what the client never sends."""
    if KEPT not in environ:
        environ[KEPT], environ["CONTENT_LENGTH"] = b"", "0"
    rewind(environ)


def rewind(environ: Environ) -> None:
    """Lets the next reader begin at the start of a body that was kept."""
    if KEPT in environ:
        environ["wsgi.input"] = io.BytesIO(environ[KEPT])
    environ.pop("werkzeug.request", None)
