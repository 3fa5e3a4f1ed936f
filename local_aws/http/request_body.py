"""The body of a request, as long as it says and no longer than is taken here, or a refusal in place of an endless wait.

In memory both this local AWS and moto can read it.
Source of the rules: RFC 9112, sections 6 and 7 (https://www.rfc-editor.org/rfc/rfc9112).
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable
from email.message import Message
from typing import Any, BinaryIO, Final

from local_aws.api_errors import api_error
from local_aws.contract import ServiceError

LARGEST_BODY: Final = 300 * 1024**2
"""Bytes. The largest that is published here is kubectl's layer, of 60 MB."""
LARGEST_CALL: Final = 100 * 1024**2
"""Bytes of a call that is no object of S3: Lambda takes 50 MB of code, which JSON makes a third longer."""
SECONDS_FOR_A_BODY: Final = 120.0
LONGEST_CHUNK_LINE: Final = 1024
MOST_TRAILERS: Final = 64
_LENGTH = re.compile(r"\d{1,18}", re.ASCII)
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(;[^\r\n]*)?\r?\n")


def body_of(headers: Message, stream: BinaryIO) -> RequestBody:
    """The body that these headers announce. Raises ServiceError for a length that is none or too large."""
    encoding = [value.strip().lower() for value in headers.get_all("Transfer-Encoding", [])]
    lengths = {value.strip() for value in headers.get_all("Content-Length", [])}
    if encoding:
        if encoding != ["chunked"] or lengths:
            raise api_error("common.two_lengths")
        return RequestBody(_Chunks(stream).read)
    if len(lengths) > 1:
        raise api_error("common.different_lengths")
    text = lengths.pop() if lengths else "0"
    if not _LENGTH.fullmatch(text):
        raise api_error("common.length")
    if int(text) > LARGEST_BODY:
        raise too_large(LARGEST_BODY)
    return RequestBody(_Counted(stream, int(text)).read)


def too_large(limit: int) -> ServiceError:
    return api_error("common.body_too_large", maximum=limit // 1024**2)


class RequestBody(io.RawIOBase):
    """A stream that ends with the body. Raises ServiceError where the body is cut off, endless or badly written."""

    def __init__(self, read_some: Callable[[int], bytes]) -> None:
        self._read_some = read_some
        self._deadline = time.monotonic() + SECONDS_FOR_A_BODY
        self._taken = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # typeshed: any writable buffer
        if time.monotonic() > self._deadline:
            raise api_error("common.slow_body")
        try:
            data = self._read_some(len(buffer))
        except OSError as error:  # a time-out of the socket, or its end
            raise api_error("common.slow_body") from error
        self._taken += len(data)
        if self._taken > LARGEST_BODY:
            raise too_large(LARGEST_BODY)
        buffer[: len(data)] = data
        return len(data)


class _Counted:
    def __init__(self, stream: BinaryIO, length: int) -> None:
        self._stream = stream
        self._left = length

    def read(self, maximum: int) -> bytes:
        if not self._left or not maximum:
            return b""
        data = _read1(self._stream, min(maximum, self._left))
        self._left -= len(data)
        return data


class _Chunks:
    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left = 0
        self._is_over = False

    def read(self, maximum: int) -> bytes:
        if self._is_over or not maximum:
            return b""
        if not self._left:
            self._begin()
            if self._is_over:
                return b""
        data = _read1(self._stream, min(maximum, self._left))
        self._left -= len(data)
        if not self._left and self._line() != b"":
            raise api_error("common.chunk_overrun")
        return data

    def _begin(self) -> None:
        found = _CHUNK.fullmatch(self._stream.readline(LONGEST_CHUNK_LINE))
        if found is None:
            raise api_error("common.chunk_length")
        self._left = int(found[1], 16)
        if self._left > LARGEST_BODY:
            raise too_large(LARGEST_BODY)
        if not self._left:
            self._is_over = True
            if not any(self._line() == b"" for _ in range(MOST_TRAILERS)):
                raise api_error("common.trailers")

    def _line(self) -> bytes:
        line = self._stream.readline(LONGEST_CHUNK_LINE)
        if not line.endswith(b"\n"):
            raise api_error("common.cut_off")
        return line.rstrip(b"\r\n")


def _read1(stream: BinaryIO, maximum: int) -> bytes:
    """Returns the bytes that have come, at least one."""
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    data = read(maximum)
    if not data:
        raise api_error("common.cut_off")
    return data


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
