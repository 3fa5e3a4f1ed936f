"""Calls of the local AWS to itself, answered without a connection: making one takes twice as long as the answer."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, unquote, urlsplit

from botocore.awsrequest import AWSPreparedRequest, AWSResponse, HeadersDict
from botocore.exceptions import ConnectionClosedError

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

OWN_CALL = "neuron_cluster.own_call"
"""Key of a request that this process makes to itself without a connection: no header can bring it in."""
Answer = Callable[[dict[str, Any]], "Response"]
"""Answers a request, given as the environment of WSGI."""

_answers: dict[str, Answer] = {}
"""The function that answers each endpoint of this process."""


@contextlib.contextmanager
def serve_in_process(endpoint: str, answer: Answer) -> Iterator[None]:
    """As long as the block runs, ``answer_here`` calls ``answer`` for requests to the endpoint."""
    _answers[endpoint] = answer
    try:
        yield
    finally:
        del _answers[endpoint]


def is_here(endpoint: str) -> bool:
    """Whether this process is the local AWS at the endpoint."""
    return endpoint in _answers


def answer_here(request: AWSPreparedRequest, **_: object) -> AWSResponse | None:
    """Handles botocore's event ``before-send``: returns the response, or None where another process has it.

    Raises ConnectionClosedError where the server would end the connection.
    """
    url = urlsplit(request.url)
    answer = _answers.get(f"{url.scheme}://{url.netloc}")
    if answer is None:
        return None
    try:
        return _response(answer, request)
    except ConnectionResetError as error:
        raise ConnectionClosedError(endpoint_url=request.url, error=error) from error


def _response(answer: Answer, request: AWSPreparedRequest) -> AWSResponse:
    from moto.core.botocore_stubber import MockRawResponse

    environ = environ_of(request.method, request.url, request.headers, request.body)
    environ[OWN_CALL] = True
    answered = answer(environ)
    try:
        parts, status, headers = answered.get_wsgi_response(environ)
        body = MockRawResponse(b"".join(parts))
    finally:
        answered.close()
    return AWSResponse(request.url, int(status.partition(" ")[0]), HeadersDict(headers), body)


def environ_of(method: str, url: str, headers: Mapping[str, Any], body: Any) -> dict[str, Any]:
    """The WSGI environment of a request as moto's own code makes it, which takes five times as long.

    That code makes those of unusual requests: a body that is a stream, another form of URL, names with underscores.
    """
    content = body.encode() if isinstance(body, str) else body or b""
    parts = urlsplit(url)
    fields = _header_fields(headers)
    if fields is None or not _is_usual(url, parts, content, fields.get("CONTENT_TYPE", "")):
        return _environ_of_moto(method, url, headers, body)
    host, _, port = parts.netloc.partition(":")
    return {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote(parts.path).encode().decode("latin-1"),
        "QUERY_STRING": parts.query,
        "REQUEST_URI": parts.path,
        "RAW_URI": parts.path,
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "HTTP_HOST": parts.netloc,
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": parts.scheme,
        "wsgi.input": io.BytesIO(content),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        **fields,
        "CONTENT_LENGTH": str(len(content)),
        "moto.preserved_header_names": {},
    }


def _header_fields(headers: Mapping[str, Any]) -> dict[str, str] | None:
    """Headers as WSGI has them; None where moto keeps the spelling of a name, or a value is no header."""
    fields = {}
    for name, given in headers.items():
        value = given.decode() if isinstance(given, bytes) else str(given)
        if "_" in name or "\n" in value or "\r" in value:
            return None
        fields["CONTENT_TYPE" if name.lower() == "content-type" else f"HTTP_{name.upper().replace('-', '_')}"] = value
    fields.pop("HTTP_TRANSFER_ENCODING", None)
    fields.pop("HTTP_CONTENT_LENGTH", None)
    return fields


def _is_usual(url: str, parts: SplitResult, content: Any, content_type: str) -> bool:
    """Whether nothing of the URL is rewritten, and the body is what is sent."""
    is_plain_url = parts.port is not None and parts.path.startswith("/") and not parts.path.startswith("//")
    is_whole = isinstance(content, bytes) and not content_type.startswith("multipart/")
    return is_whole and is_plain_url and ";" not in parts.path and url.isascii()


def _environ_of_moto(method: str, url: str, headers: Mapping[str, Any], body: Any) -> dict[str, Any]:
    from moto.core.request import Request

    environ: dict[str, Any] = Request.from_primitives(method, url, headers, body).environ
    environ.pop("werkzeug.request", None)
    return environ
