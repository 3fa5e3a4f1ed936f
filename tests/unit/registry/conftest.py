"""A small registry that speaks the OCI distribution API over HTTP, with a token challenge and redirects."""

from __future__ import annotations

import hashlib
import json
import threading
import urllib.parse
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

MANIFEST = json.dumps({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json"}).encode()
DIGEST = f"sha256:{hashlib.sha256(MANIFEST).hexdigest()}"
TOKEN = "a-token"  # noqa: S105 - what this registry hands to everybody
SCOPE = "repository:team/image:pull"


class Registry(ThreadingHTTPServer):
    """A registry with its requests in ``asked``: path and Authorization header."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[tuple[str, str | None]] = []
        self.needs_token = False
        self.challenge: str | None = None
        self.token_answer: bytes = json.dumps({"token": TOKEN}).encode()
        self.claimed_digest: str | None = DIGEST
        self.redirect: str | None = None
        self.index = b""

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"


class _Handler(BaseHTTPRequestHandler):
    server: Registry

    def do_GET(self) -> None:
        url = urllib.parse.urlsplit(self.path)
        self.server.asked.append((self.path, self.headers.get("Authorization")))
        if url.path == "/token":
            reported = urllib.parse.parse_qs(url.query)
            is_asked_rightly = reported == {"service": ["registry"], "scope": [SCOPE]}
            self._answer(200 if is_asked_rightly else 400, self.server.token_answer)
        elif url.path == "/index.yaml":
            self._answer(200 if self.server.index else 404, self.server.index)
        elif self.server.needs_token and self.headers.get("Authorization") != f"Bearer {TOKEN}":
            ours = f'Bearer realm="{self.server.url}/token",service="registry",scope="{SCOPE}"'
            self._answer(401, b"{}", {"WWW-Authenticate": self.server.challenge or ours})
        elif self.server.redirect is not None:
            self._answer(307, b"", {"Location": f"{self.server.redirect}{self.path}"})
        elif url.path == "/v2/team/image/manifests/1.0_x":
            is_list = "image.index" in self.headers.get("Accept", "")
            claimed = {"Docker-Content-Digest": self.server.claimed_digest} if self.server.claimed_digest else {}
            self._answer(200, MANIFEST if is_list else b"{}", claimed)
        else:
            self._answer(404, b'{"errors": [{"code": "MANIFEST_UNKNOWN"}]}')

    def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


def running() -> Iterator[Registry]:
    with Registry() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def registry() -> Iterator[Registry]:
    yield from running()


@pytest.fixture
def store() -> Iterator[Registry]:
    """Another server, where a registry sends its callers."""
    yield from running()
