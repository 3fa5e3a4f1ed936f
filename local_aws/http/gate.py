"""Lets requests in, or none for a while in which the state of every account must not change."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

WsgiApplication = Callable[[dict[str, Any], Any], Iterable[bytes]]
DRAIN_SECONDS = 1.0
"""How long those that are in may take before the gate opens again: one may wait for another that is outside."""
MOST_SECONDS = 120.0


class GateTimeout(Exception):
    """Requests or stack operations did not end."""


class Gate:
    """Around an application. Calls of this process to itself pass by: they are parts of requests and operations."""

    def __init__(self, behind: WsgiApplication) -> None:
        self._behind = behind
        self._changed = threading.Condition()
        self._inside = 0
        self._is_closed = False

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_closed)
            self._inside += 1
        try:
            return self._behind(environ, start_response)
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    @contextlib.contextmanager
    def closed(self, wait: Callable[[], None], is_idle: Callable[[], bool]) -> Iterator[None]:
        """No request is in, and nothing works in the background: ``wait`` is how to wait for that.

        While it works the gate is open, because it may need requests of its own. Raises GateTimeout.
        """
        until = time.monotonic() + MOST_SECONDS
        while not self._closed_and_empty(wait, is_idle):
            if time.monotonic() > until:
                raise GateTimeout
        try:
            yield
        finally:
            self._open()

    def _closed_and_empty(self, wait: Callable[[], None], is_idle: Callable[[], bool]) -> bool:
        wait()
        with self._changed:
            self._is_closed = True
            if self._changed.wait_for(lambda: self._inside == 0, DRAIN_SECONDS) and is_idle():
                return True
        self._open()
        return False

    def _open(self) -> None:
        with self._changed:
            self._is_closed = False
            self._changed.notify_all()
