"""The HTTP server of the local AWS: what comes over a connection is read within bounds of size, time and number."""

from __future__ import annotations

import contextlib
import io
import logging
import re
import socket
import threading
import time
from http import HTTPStatus
from typing import Any, BinaryIO
from urllib.parse import unquote_to_bytes

from moto.moto_server.werkzeug_app import MotoRequestHandler
from werkzeug.serving import ThreadedWSGIServer
from werkzeug.wrappers import Response

from local_aws.api_errors import api_error
from local_aws.contract import ServiceError
from local_aws.http.error_response import error_response
from local_aws.http.request_body import SECONDS_FOR_A_BODY, body_of
from local_aws.http.signing import TERMINATOR

SILENT_SECONDS = 20.0
"""How long a client may be silent in the middle of a request."""
SECONDS_FOR_A_HEAD = 30.0
"""How long its first line and headers may take together, however they are cut up."""
MOST_CONNECTIONS = 200
"""At once; the CDK command makes a few dozens."""
DRAINED = 16 * 1024**2
"""Bytes of a body that nobody wants, read so that the client can read the answer."""

SERVICE_OF_SIGNATURE = re.compile(rf"/([a-zA-Z0-9-]{{1,64}})/{TERMINATOR}\b")
"""Enough to choose the form of a refusal; whether the signature is valid is checked later."""


class HttpServer(ThreadedWSGIServer):
    """Serves a listening socket with a thread for each connection, up to a number."""

    def __init__(self, listener: socket.socket, application: Any, *, most_connections: int = MOST_CONNECTIONS) -> None:
        host, port = listener.getsockname()
        super().__init__(host, port, application, RequestHandler, fd=listener.fileno())
        self._free = threading.BoundedSemaphore(most_connections)

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 - socketserver's hook
        """Logs an error that no client should be able to cause; a response that was begun ends with the connection."""
        logging.getLogger(__name__).exception("a connection ended without an answer")  # noqa: LOG004 - called in one


class RequestHandler(MotoRequestHandler):
    """moto's request handler (it keeps the case of S3 metadata), for clients of any kind."""

    timeout = SILENT_SECONDS
    protocol_version = "HTTP/1.1"
    rfile: Any

    def setup(self) -> None:
        super().setup()
        self._incoming = Incoming(self.connection, time.monotonic() + SECONDS_FOR_A_HEAD)
        self.rfile = io.BufferedReader(self._incoming, 64 * 1024)

    def run_wsgi(self) -> None:
        """Answers what is no HTTP request or no body; leaves the rest to the application."""
        try:
            _require_path(self.path)
            self._body = body_of(self.headers, self.rfile)
            self._incoming.deadline = time.monotonic() + SECONDS_FOR_A_BODY
        except ServiceError as error:
            self._reject(error)
            return
        self.rfile = _Rest(self.rfile)
        super().run_wsgi()

    def make_environ(self) -> dict[str, Any]:
        environ = super().make_environ()
        environ["wsgi.input"] = self._body
        environ["wsgi.input_terminated"] = True
        return environ

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002 - the signature of http.server
        """Sends errors that http.server finds in the first line and the headers so that SDKs can read them."""
        text = message or HTTPStatus(code).phrase
        self._reject(ServiceError("InvalidRequest", text, status=code))

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Says nothing: stack events are the log of a deploy."""

    def log_error(self, format: str, *args: Any) -> None:  # noqa: A002 - http.server's name
        """Says nothing of what a client did wrong: the client has the answer."""

    def _reject(self, error: ServiceError) -> None:
        headers = getattr(self, "headers", None)
        given = {"CONTENT_TYPE": headers.get("Content-Type", "") if headers is not None else ""}
        signed = SERVICE_OF_SIGNATURE.search(headers.get("Authorization", "")) if headers is not None else None
        answer: Response = error_response(error, given, signed[1].lower() if signed is not None else "")
        body = answer.get_data()
        self.close_connection = True
        with contextlib.suppress(OSError):  # the client has gone
            self.send_response(error.status)
            for name, value in answer.headers:
                self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            if getattr(self, "command", None) != "HEAD":
                self.wfile.write(body)
            self.wfile.flush()
        _drain(self.connection, self.rfile)


class Incoming(io.RawIOBase):
    """The bytes of a connection until a deadline. Raises TimeoutError after it, or after too long a silence."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection = connection
        self.deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # typeshed: any writable buffer
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the request takes too long")
        silence = self._connection.gettimeout()
        self._connection.settimeout(left if silence is None else min(left, silence))
        try:
            return self._connection.recv_into(buffer)
        finally:
            self._connection.settimeout(silence)


class _Rest:
    """The bytes that a client still sends after its response, for werkzeug, which reads until there are no more."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left = DRAINED

    def read(self, _: int = -1) -> bytes:
        data = b""
        with contextlib.suppress(OSError, ValueError):
            data = self._stream.read1(min(65_536, self._left))  # type: ignore[attr-defined]  # a BufferedReader has it
        self._left -= len(data)
        return data

    def readline(self, *_: int) -> bytes:
        """The connection carries no second request."""
        return b""

    def close(self) -> None:
        self._stream.close()

    @property
    def closed(self) -> bool:
        return self._stream.closed


def _drain(connection: socket.socket, stream: Any) -> None:
    rest = stream if isinstance(stream, _Rest) else _Rest(stream)
    with contextlib.suppress(OSError):
        connection.settimeout(0.05)
        while rest.read():
            pass


def _require_path(path: str) -> None:
    """Raises ServiceError for a path of another form than SDKs send, or that is no UTF-8."""
    plain, _, query = path.partition("?")
    try:
        if path.isascii() and plain.startswith("/") and not plain.startswith("//"):
            unquote_to_bytes(plain).decode()
            unquote_to_bytes(query).decode()
            return
    except UnicodeDecodeError:
        pass
    raise api_error("common.path")
