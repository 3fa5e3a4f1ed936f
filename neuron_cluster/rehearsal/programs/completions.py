"""OpenAI's API as vLLM serves it, without a model: an answer takes ten seconds and has as many tokens as are requested.

Its text is ``synthetic``; ``usage`` and the times follow from the request alone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

REQUEST_SECONDS, PARTS = 10, 10
"""Seconds of a response, and the number of parts of one that is streamed."""
MAX_MODEL_LEN, DEFAULT_TOKENS = 32_768, 16
TEXT = "synthetic"
CHAT, COMPLETIONS, MODELS = "/v1/chat/completions", "/v1/completions", "/v1/models"


class Server(ThreadingHTTPServer):
    """As many connections wait as clients open at once: a client that gets no place comes again a second later here."""

    request_queue_size = 1024


class Handler(BaseHTTPRequestHandler):
    """One request of a connection."""

    model = TEXT

    def do_GET(self) -> None:
        """Handles a request; one of any other path takes as long as a completion."""
        if self.path == MODELS:
            listed = {"id": self.model, "object": "model", "max_model_len": MAX_MODEL_LEN}
            self.answer(HTTPStatus.OK, {"object": "list", "data": [listed]})
            return
        if self.path != "/health":
            time.sleep(REQUEST_SECONDS)
        self.answer(HTTPStatus.OK, {})

    def do_POST(self) -> None:
        body = self.read_body()
        if self.path not in (CHAT, COMPLETIONS):
            self.refuse(HTTPStatus.NOT_FOUND, f"no such path: {self.path}")
        elif body is None:
            self.refuse(HTTPStatus.BAD_REQUEST, "the body is not a JSON object")
        elif body.get("model") != self.model:
            self.refuse(HTTPStatus.NOT_FOUND, f"The model `{body.get('model')}` does not exist.")
        elif body.get("stream"):
            self.stream(body)
        else:
            time.sleep(REQUEST_SECONDS)
            self.answer(HTTPStatus.OK, self.completion(body, is_part=False) | {"usage": usage(body)})

    def read_body(self) -> dict[str, Any] | None:
        try:
            found = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        except ValueError:
            return None
        return found if isinstance(found, dict) else None

    def completion(self, body: dict[str, Any], *, is_part: bool) -> dict[str, Any]:
        content = {"role": "assistant", "content": TEXT}
        said = {"delta" if is_part else "message": content} if self.path == CHAT else {"text": TEXT}
        choice = {"index": 0, **said, "finish_reason": None if is_part else "length"}
        return {"id": TEXT, "model": body["model"], "choices": [choice]}

    def stream(self, body: dict[str, Any]) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for event in self.events(body):
            self.wfile.write(f"data: {event}\n\n".encode())

    def events(self, body: dict[str, Any]) -> Iterator[str]:
        for _ in range(PARTS):
            time.sleep(REQUEST_SECONDS / PARTS)
            yield json.dumps(self.completion(body, is_part=True))
        yield json.dumps({"id": TEXT, "choices": [], "usage": usage(body)})
        yield "[DONE]"

    def refuse(self, status: HTTPStatus, message: str) -> None:
        self.answer(status, {"error": {"message": message, "code": status.value}})

    def answer(self, status: HTTPStatus, document: dict[str, Any]) -> None:
        text = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Nothing: probes would fill the log."""


def usage(body: dict[str, Any]) -> dict[str, int]:
    """A prompt of text has a token for each word."""
    prompt = body.get("prompt", "")
    given = len(prompt) if isinstance(prompt, list) else len(str(prompt or body.get("messages")).split())
    made = int(body.get("max_tokens") or body.get("max_completion_tokens") or DEFAULT_TOKENS)
    return {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}
