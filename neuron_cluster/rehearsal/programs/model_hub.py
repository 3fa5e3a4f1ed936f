"""In the place of the Hugging Face Hub (outside_hosts.py).

One repository, whatever its name: files without content, at a rate of one MiB a minute. Each MiB that the Hub has
sent, of any file, is a step.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit

from program_report import report

SUFFIX = ".rehearsal"
COMMIT = "0" * 40
MIB = 1 << 20
BLOCK, SECONDS_OF_BLOCK = MIB // 4, 15
"""Sooner than clients give up."""
FILES = {"config.json": 1, **{f"model-{number:05}.safetensors": 4 * MIB for number in range(1, 5)}}
SENT = itertools.count(1)
"""Blocks that were sent."""


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
            if (sent := next(SENT)) * BLOCK % MIB == 0:
                report("Sent", step=sent * BLOCK // MIB)

    def log_message(self, *_: object) -> None:
        """Nothing: the reports have it."""
