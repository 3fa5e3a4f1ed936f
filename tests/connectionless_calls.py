"""Calls to a local AWS of the same process take no connection, no thread and no copy of HTTP: these are half of a call.

The request is the one that would be sent: its signature, its body and its errors are looked at as ever. The CDK command
and commands that tests start as programs connect; with ``NEURON_CLUSTER_CONNECT=always`` (make test-exhaustive) all do.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from botocore.awsrequest import AWSPreparedRequest, AWSResponse, HeadersDict
from botocore.exceptions import ConnectionClosedError
from botocore.httpsession import URLLib3Session
from moto.core.botocore_stubber import MockRawResponse

from local_aws.http import in_process_transport

connect: Callable[..., Any] = URLLib3Session.send


def answer_without_connections() -> None:
    """Applies to every client of boto3 in this process, those that tests make for themselves too."""
    if os.environ.get("NEURON_CLUSTER_CONNECT") == "always":
        return

    def sent(self: URLLib3Session, request: AWSPreparedRequest) -> Any:
        found = answer_here(request)
        return found if found is not None else connect(self, request)

    URLLib3Session.send = sent


def answer_here(request: AWSPreparedRequest) -> AWSResponse | None:
    """None where another process has the endpoint, or nothing; and for a body that is read as it is sent."""
    url = urlsplit(request.url)
    answer = in_process_transport._answers.get(f"{url.scheme}://{url.netloc}")
    given = request.body.getvalue() if isinstance(request.body, io.BytesIO) else request.body
    if answer is None or not isinstance(given, bytes | str | None):
        return None
    environ = in_process_transport.environ_of(request.method, request.url, request.headers, given)
    sent = f"{url.path}?{url.query}" if url.query else url.path
    environ |= {"RAW_URI": sent, "REQUEST_URI": sent}  # with the query, which the signature covers
    try:
        response = answer(environ)
    except ConnectionResetError as error:
        raise ConnectionClosedError(endpoint_url=request.url, error=error) from error
    try:
        parts, status, headers = response.get_wsgi_response(environ)
        body = MockRawResponse(b"".join(parts))
    finally:
        response.close()
    return AWSResponse(request.url, int(status.partition(" ")[0]), HeadersDict(headers), body)
