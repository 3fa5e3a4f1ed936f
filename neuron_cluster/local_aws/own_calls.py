"""Calls of the local AWS to itself, answered without a connection: making one takes twice as long as the answer."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from botocore.awsrequest import AWSPreparedRequest, AWSResponse, HeadersDict
from botocore.exceptions import ConnectionClosedError

from neuron_cluster.local_aws.admission import OWN_CALL

_doors: dict[str, Any] = {}
"""WSGI applications of this process by endpoint."""


@contextlib.contextmanager
def answering_here(endpoint: str, door: Any) -> Iterator[None]:
    """As long as the block runs, ``answer_here`` asks the WSGI application itself."""
    _doors[endpoint] = door
    try:
        yield
    finally:
        del _doors[endpoint]


def is_here(endpoint: str) -> bool:
    """Whether this process is the local AWS at the endpoint."""
    return endpoint in _doors


def answer_here(request: AWSPreparedRequest, **_: object) -> AWSResponse | None:
    """For botocore's event ``before-send``: the answer, or None where another process is to be asked.

    Raises ConnectionClosedError where the server would end the connection.
    """
    url = urlsplit(request.url)
    door = _doors.get(f"{url.scheme}://{url.netloc}")
    if door is None:
        return None
    try:
        return _answer(door, request)
    except ConnectionResetError as error:
        raise ConnectionClosedError(endpoint_url=request.url, error=error) from error


def _answer(door: Any, request: AWSPreparedRequest) -> AWSResponse:
    from moto.core.botocore_stubber import MockRawResponse
    from moto.core.request import Request
    from werkzeug.test import run_wsgi_app

    asked = Request.from_primitives(request.method, request.url, request.headers, request.body)
    asked.environ[OWN_CALL] = True
    parts, status, headers = run_wsgi_app(door, asked.environ, buffered=True)
    body = MockRawResponse(b"".join(parts))
    return AWSResponse(request.url, int(status.partition(" ")[0]), HeadersDict(headers.to_wsgi_list()), body)
