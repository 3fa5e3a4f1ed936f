"""The server beside the requests: started, waited for, stopped."""

from __future__ import annotations

import http.client
import subprocess
import threading
import time
from collections.abc import Sequence
from typing import Self

POLL_SECONDS = 2.0
KILL_SECONDS = 30.0


class ServerEnded(Exception):
    """The server did not start, or ended: another attempt may succeed."""


class Stop:
    """Set when no further request is sent, with the reason."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self.reason = ""

    def set(self, reason: str) -> None:
        """The first reason stays."""
        self.reason = self.reason or reason
        self.event.set()

    @property
    def is_set(self) -> bool:
        return self.event.is_set()


class Server:
    """A process that serves on a port of this pod. Use it as a context."""

    def __init__(self, command: Sequence[str], port: int) -> None:
        self._command, self.port = command, port

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(self._command)
        return self

    def __exit__(self, *_: object) -> None:
        self.terminate()
        try:
            self._process.wait(KILL_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def terminate(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()

    def ends_within(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    @property
    def exit_code(self) -> int | None:
        return self._process.poll()

    def await_health(self, seconds: float, stop: Stop) -> None:
        """Until it answers, or the pod stops. Raises ``ServerEnded``."""
        deadline = time.monotonic() + seconds
        while not stop.is_set and not self._is_healthy():
            if self.has_ended:
                raise ServerEnded(f"the server ended with exit code {self.exit_code} before it answered")
            if time.monotonic() > deadline:
                raise ServerEnded(f"the server did not answer in {seconds:g} s (startup)")
            stop.event.wait(POLL_SECONDS)

    def _is_healthy(self) -> bool:
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=POLL_SECONDS)
        try:
            client.request("GET", "/health")
            return client.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            client.close()
