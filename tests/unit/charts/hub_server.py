"""A Hugging Face Hub on this machine, with faults."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"
WEIGHTS, CONFIG = bytes(range(256)) * 4096, b'{"hidden_size": 8}'
FILES = {"model-00001.safetensors": WEIGHTS, "config.json": CONFIG, "original/notes.txt": b"n"}
LARGE = {"model-00001.safetensors"}
"""Stored in LFS; the others are git blobs."""


class HubServer:
    """``faults`` is what the next requests of a path get instead: (status, headers, body or None to break off)."""

    def __init__(self, address: str, other: str) -> None:
        self.address, self.other = address, other
        self.faults: dict[str, list[tuple[int, dict[str, str], bytes]]] = {}
        self.requests: list[tuple[str, str | None, str | None]] = []
        """Path, range and authorization of each."""
        self.has_ranges = True
        self.breaks_at: list[int] = []
        """Bytes after which the next answers with a file break off."""
        self.sent: dict[str, bytes] = dict(FILES)

    def ranges_of(self, name: str) -> list[str | None]:
        """Returns the ranges of the requests that reached the storage."""
        return [wanted for path, wanted, _ in self.requests if path == f"/storage/{name}"]


@contextmanager
def hub_server() -> Iterator[HubServer]:
    """The Hub at 127.0.0.1, its storage at localhost: another host."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    port = server.server_address[1]
    hub = HubServer(f"http://127.0.0.1:{port}", f"http://localhost:{port}")
    server.hub = hub  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        hub: HubServer = self.server.hub  # type: ignore[attr-defined]
        path = urlsplit(self.path).path
        hub.requests.append((path, self.headers.get("Range"), self.headers.get("Authorization")))
        if hub.faults.get(path):
            self._answer(*hub.faults[path].pop(0))
        elif path.startswith("/api/models/acme/tiny/revision/"):
            self._answer(200, {}, json.dumps(_listing()).encode())
        elif path.startswith(f"/acme/tiny/resolve/{COMMIT}/"):
            name = path.partition(f"{COMMIT}/")[2]
            self._answer(302, {"Location": f"{hub.other}/storage/{name}"}, b"")
        elif path.startswith("/storage/"):
            self._file(hub, path.removeprefix("/storage/"))
        else:
            self._answer(404, {"X-Error-Code": "EntryNotFound"}, b"")

    def _file(self, hub: HubServer, name: str) -> None:
        body, status = hub.sent[name], 200
        if hub.has_ranges and (wanted := self.headers.get("Range")):
            body, status = body[int(wanted.removeprefix("bytes=").removesuffix("-")) :], 206
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: hub.breaks_at.pop(0)] if hub.breaks_at else body)
        self.close_connection = True

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Silent."""


def _listing() -> dict[str, Any]:
    siblings = []
    for name, content in FILES.items():
        blob = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
        row: dict[str, Any] = {"rfilename": name, "size": len(content), "blobId": blob}
        if name in LARGE:
            lfs = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 134}
            row |= {"blobId": "0" * 40, "lfs": lfs}
        siblings.append(row)
    return {"id": "acme/tiny", "sha": COMMIT, "siblings": siblings}
