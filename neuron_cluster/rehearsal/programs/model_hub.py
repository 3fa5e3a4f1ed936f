"""In the place of the Hugging Face Hub: the hosts ``*.rehearsal``, each process with a server of its own.

One repository, whatever its name: files without content, at a rate of one MiB a minute.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from program_report import report, report_replacement

SUFFIX = ".rehearsal"
COMMIT = "0" * 40
MIB = 1 << 20
BLOCK, SECONDS_OF_BLOCK = MIB // 4, 15
"""Sooner than clients give up."""
FILES = {"config.json": 1, **{f"model-{number:05}.safetensors": 4 * MIB for number in range(1, 5)}}


def content(name: str) -> bytes:
    return name[:1].encode() * FILES[name]


def listing() -> bytes:
    digests = {name: hashlib.sha256(content(name)).hexdigest() for name in FILES}
    siblings = [
        {"rfilename": name, "size": size, "lfs": {"size": size, "sha256": digests[name], "pointerSize": 134}}
        for name, size in FILES.items()
    ]
    return json.dumps({"sha": COMMIT, "siblings": siblings}).encode()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path.startswith("/api/"):
            self.answer(200, listing())
        elif "/resolve/" in path:
            self.answer(302, b"", location=f"http://storage{SUFFIX}/{path.rpartition('/')[2]}")
        else:
            self.send_file(path.removeprefix("/"))

    def answer(self, status: int, body: bytes, location: str = "") -> None:
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def send_file(self, name: str) -> None:
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").removesuffix("-"))
        body = content(name)[start:]
        report("Sends", file=name, start=start)
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for at in range(0, len(body), BLOCK):
            time.sleep(SECONDS_OF_BLOCK)
            self.wfile.write(body[at : at + BLOCK])

    def log_message(self, *_: object) -> None:
        """Nothing: the reports have it."""


@functools.cache
def served() -> tuple[str, int]:
    """Address and port of this process's server, which starts at the first look-up of its name."""
    report_replacement("huggingface.co")
    server = ThreadingHTTPServer((os.environ["REHEARSAL_ADDRESS"], 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 1}, daemon=True).start()
    return str(server.server_address[0]), server.server_address[1]
