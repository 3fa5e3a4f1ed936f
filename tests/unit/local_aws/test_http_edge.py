"""Requests without form or end: rejected within bounds of time and memory, on a connection that is then closed."""

from __future__ import annotations

import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from werkzeug.wrappers import Response

from local_aws.http import http_server, request_body
from local_aws.http.signing import signed_headers
from local_aws.run_secrets import secret_of
from local_aws.server import LocalAws

pytestmark = pytest.mark.slow
HOST = "127.0.0.1"
CHUNKED = "Transfer-Encoding: chunked"
FORM = "application/x-www-form-urlencoded"
NO_HANG = 30
"""Seconds; each of these is over in a fraction of one, or as soon as the silence is long enough."""


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with LocalAws() as running:
        yield running


@pytest.fixture
def exchange(aws: LocalAws) -> Callable[..., bytes]:
    """Sends bytes and reads until the server closes its side of the connection; ``ends`` closes the client's first."""
    url = urlsplit(aws.endpoint)

    def talk(*head: str, body: bytes = b"", service: str | None = "iam", ends: bool = False) -> bytes:
        first, *lines = head
        method, target = first.split()
        headers = [f"host: {url.netloc}", *lines]
        if service is not None:
            signed = signed_headers(
                secret_of(aws.endpoint), "1" * 12, "us-west-2", service, host=url.netloc, target=target, method=method
            )
            headers = [*lines, *(f"{name}: {value}" for name, value in signed.items())]
        with socket.create_connection((HOST, url.port or 0), timeout=NO_HANG) as connection:
            connection.sendall("\r\n".join([f"{first} HTTP/1.1", *headers, "", ""]).encode() + body)
            if ends:
                connection.shutdown(socket.SHUT_WR)
            parts = []
            try:
                while part := connection.recv(100_000):
                    parts.append(part)
            except ConnectionResetError:
                pass
        return b"".join(parts)

    return talk


def status(answer: bytes) -> int:
    assert answer.startswith(b"HTTP/1.1 "), answer
    return int(answer[9:12])


@pytest.mark.parametrize("service", [None, "s3", "iam"])
@pytest.mark.parametrize(
    "size", [b"fffffffffffffffff", b"7fffffffffffffff", b"ffffffffff", b"-1", b"", b"zz", b"1" * 5_000]
)
def test_a_chunk_of_any_size_takes_no_memory(exchange: Callable[..., bytes], size: bytes, service: str | None) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer = exchange("POST /a/b", CHUNKED, body=size + b"\r\nx", service=service)
    assert status(answer) in (400, 403, 413)
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < 100


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Content-Length: -1"], 400),
        (["Content-Length: x"], 400),
        (["Content-Length: 1_0"], 400),
        (["Content-Length: 5", "Content-Length: 6"], 400),
        (["Content-Length: 5", CHUNKED], 400),
        (["Transfer-Encoding: gzip, chunked"], 400),
        ([f"Content-Length: {10**10}"], 413),
        ([f"Content-Length: {'9' * 5_000}"], 400),
    ],
)
def test_a_length_that_is_none(exchange: Callable[..., bytes], lines: list[str], expected: int) -> None:
    answer = exchange("POST /", *lines, body=b"12345")
    assert status(answer) == expected
    assert b"Connection: close" in answer
    assert b"<html" not in answer.lower()


@pytest.mark.parametrize(
    ("service", "content_type", "error"),
    [
        ("s3", "", b"<Error><Code>IncompleteBody"),
        ("ec2", FORM, b"<Response><Errors><Error><Code>IncompleteBody"),
        ("iam", FORM, b"<ErrorResponse><Error><Type>Sender</Type><Code>IncompleteBody"),
        ("eks", "application/json", b'{"__type": "IncompleteBody"'),
    ],
)
@pytest.mark.parametrize(
    ("lines", "body"), [(["Content-Length: x"], b""), ([CHUNKED], b"zz\r\n"), (["Content-Length: 9"], b"123")]
)
def test_each_service_refuses_a_body_in_its_own_form(
    exchange: Callable[..., bytes], service: str, content_type: str, error: bytes, lines: list[str], body: bytes
) -> None:
    """Whoever finds it: the server before the request is passed on, or the first one who reads the body."""
    path = {"s3": "PUT /bucket/key", "eks": "POST /clusters"}.get(service, "POST /")
    answer = exchange(path, f"Content-Type: {content_type}", *lines, body=body, service=service, ends=True)
    assert status(answer) == 400
    assert error in answer.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize("target", ["/%ff%fe", "/caf\u00e9", "http://127.0.0.1/x", "*"])
def test_a_path_that_cannot_be_read(exchange: Callable[..., bytes], target: str) -> None:
    assert status(exchange(f"GET {target}")) == 400


@pytest.mark.parametrize("lines", [["Content-Length: 5"], [CHUNKED]])
@pytest.mark.parametrize("service", ["s3", "iam", None])
def test_a_client_that_falls_silent_is_left(
    exchange: Callable[..., bytes], lines: list[str], service: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of its body; unread ones are not waited for at all."""
    monkeypatch.setattr(http_server.RequestHandler, "timeout", 0.2)
    target = "PUT /bucket/key" if service == "s3" else "POST /"
    assert status(exchange(target, *lines, body=b"5\r\n12" if lines == [CHUNKED] else b"12", service=service)) in (
        403, 404, 408,
    )  # fmt: skip


def test_a_client_that_says_nothing_is_left(aws: LocalAws, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server.RequestHandler, "timeout", 0.2)
    with socket.create_connection((HOST, urlsplit(aws.endpoint).port or 0), timeout=NO_HANG) as connection:
        connection.sendall(b"GET / HT")
        assert connection.recv(1) == b""


@pytest.mark.parametrize("head", [b"GET / HTTP/1.1\r\nX-Slow: ", b"GET /"])
def test_a_head_that_never_ends_is_left(aws: LocalAws, monkeypatch: pytest.MonkeyPatch, head: bytes) -> None:
    """A client that sends a byte now and then is never silent."""
    monkeypatch.setattr(http_server, "SECONDS_FOR_A_HEAD", 0.3)
    began = time.monotonic()
    with socket.create_connection((HOST, urlsplit(aws.endpoint).port or 0), timeout=0.05) as connection:
        connection.sendall(head)
        while time.monotonic() - began < NO_HANG:  # each turn waits for an answer
            try:
                connection.sendall(b"x")
                assert connection.recv(1) == b""
                break
            except TimeoutError:
                continue
            except ConnectionError:
                break
    assert time.monotonic() - began < NO_HANG


def test_a_body_that_nobody_reads_does_not_keep_the_connection(exchange: Callable[..., bytes]) -> None:
    answer = exchange("POST /", "Content-Length: 60000", body=b"x" * 60_000, service=None)
    assert status(answer) == 403
    assert b"Connection: close" in answer


def test_a_call_that_is_larger_than_any(exchange: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    from local_aws.http import request_body

    monkeypatch.setattr(request_body, "LARGEST_CALL", 1_000)
    lines = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 2000"]
    assert status(exchange("POST /", *lines, body=b"x" * 2_000)) == 413


def test_chunks_end_where_a_body_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small chunks without end, too."""
    monkeypatch.setattr(request_body, "LARGEST_BODY", 1_000)
    import io
    from email.message import Message

    headers = Message()
    headers["Transfer-Encoding"] = "chunked"
    endless = io.BytesIO(b"a\r\n0123456789\r\n" * 200)
    with pytest.raises(request_body.ServiceError, match="EntityTooLarge"):
        request_body.body_of(headers, endless).read()
    whole = io.BytesIO(b"a;x=y\r\n0123456789\r\n5\r\n01234\r\n0\r\ntrailer: x\r\n\r\nrest")
    assert request_body.body_of(headers, whole).read() == b"012345678901234"
    assert whole.read() == b"rest"


def test_more_connections_than_are_served_are_closed() -> None:
    with (
        socket.create_server((HOST, 0)) as listener,
        http_server.HttpServer(listener, Response("served"), most_connections=1) as server,
    ):
        place = listener.getsockname()
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        with socket.create_connection(place, NO_HANG) as served, socket.create_connection(place, NO_HANG) as closed:
            assert closed.recv(1) == b""
            served.sendall(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
            assert served.makefile("rb").read().endswith(b"served")
        server.shutdown()
        thread.join()
