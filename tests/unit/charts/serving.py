"""A server that streams as vLLM does, well or badly, for the program of charts/serving-check."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "tiny"
Stream = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """``stream`` writes the body of each answer to a completion."""

    protocol_version = "HTTP/1.1"
    stream: Stream
    bodies: list[dict[str, Any]]
    keys: list[str | None]
    status = 200
    max_model_len = 4096
    wants_key = ""

    def do_GET(self) -> None:
        if self.wants_key and self.headers.get("Authorization") != f"Bearer {self.wants_key}":
            self.answer(401, {"error": "Unauthorized"})
        else:
            self.answer(200, {"data": [{"id": MODEL, "max_model_len": self.max_model_len}]})

    def do_POST(self) -> None:
        self.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.keys.append(self.headers.get("Authorization"))
        if self.status != 200:
            self.answer(self.status, {"error": {"message": "the engine is dead"}})
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        type(self).stream(self)
        self.close_connection = True

    def answer(self, status: int, document: Any) -> None:
        text = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def event(self, document: Any) -> None:
        text = document if isinstance(document, str) else json.dumps(document)
        self.wfile.write(f"data: {text}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *_: Any) -> None:
        """The test's output is about the check."""


def complete(handler: Handler) -> None:
    """As many tokens as were asked for, with a comment between them."""
    asked = handler.bodies[-1]["max_tokens"]
    for _ in range(asked):
        handler.event({"choices": [{"text": "a"}]})
    handler.wfile.write(b": still here\n\n")
    handler.event({"choices": [], "usage": {"completion_tokens": asked, "prompt_tokens": 3}})
    handler.event("[DONE]")


def cut(handler: Handler) -> None:
    """One token, and the connection ends."""
    handler.event({"choices": [{"text": "a"}]})


def broken(handler: Handler) -> None:
    """An error in the middle, as vLLM writes it when its engine ends."""
    handler.event({"choices": [{"text": "a"}]})
    handler.event({"error": {"message": "EngineDeadError"}})
    handler.event("[DONE]")


@contextmanager
def served(stream: Stream = complete, **settings: Any) -> Iterator[tuple[str, type[Handler]]]:
    """The URL of a running server, and its class, which has what was asked."""
    kind = type("Served", (Handler,), {"stream": staticmethod(stream), "bodies": [], "keys": [], **settings})
    with ThreadingHTTPServer(("127.0.0.1", 0), kind) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", kind
        finally:
            server.shutdown()
            thread.join()
