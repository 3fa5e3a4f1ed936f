"""Which requests run together: in an account and Region one at a time, or none for a while.

What a check has found still holds when the call is carried out. The interpreter runs one thread at a time anyway:
calls lose no time by it, as long as none of them waits for another.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from local_aws.clients import GLOBAL_SERVICES
from local_aws.http.caller import Caller

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


WAITS_FOR_OTHERS = frozenset({"cloudformation", "sqs", "states", "swf"})
"""Services, as signatures spell them, of which a call waits for what other calls bring: the end of a stack's operation,
a message, an activity."""


class AccountLocks:
    """The locks of one local AWS: by account and Region, of a global service by account."""

    def __init__(self) -> None:
        self._locks: dict[tuple[str, str | None], threading.Lock] = {}
        self._this_thread = threading.local()

    @contextlib.contextmanager
    def held(self, caller: Caller) -> Iterator[None]:
        """The block runs while no other call of the account and Region does.

        A call made in the block, in the same thread, is a part of the first one, also where it asks another account:
        a thread holds one lock at most, so that no two wait for each other.
        """
        if caller.signing_name in WAITS_FOR_OTHERS or getattr(self._this_thread, "holds_one", False):
            yield
            return
        region = None if caller.signing_name in GLOBAL_SERVICES else caller.region
        with self._locks.setdefault((caller.account, region), threading.Lock()):
            self._this_thread.holds_one = True
            try:
                yield
            finally:
                self._this_thread.holds_one = False
