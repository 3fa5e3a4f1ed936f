"""The threads in which stacks are worked on."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from local_aws.engine.engine_context import Stopping
from local_aws.engine.stack import Stack

LOOK_SECONDS = 0.05


class OperationsInProgress:
    """One thread per running operation."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._threads: dict[str, threading.Thread] = {}
        """The running operations by stack id."""

    def start(self, stack: Stack, operation: Callable[[], None]) -> None:
        """Runs the operation in a new thread; a mistake of ours in it fails the stack."""

        def work() -> None:
            try:
                operation()
            except Stopping:
                _fail(stack, "The local AWS is being closed.")
            except Exception as error:  # the edge of a thread: a stack left in progress is polled for ever
                logging.getLogger(__name__).exception("an operation of the local AWS failed")
                _fail(stack, f"Internal Failure: {type(error).__name__}: {error}")
            finally:
                with self._lock:
                    if self._threads.get(stack.stack_id) is threading.current_thread():
                        del self._threads[stack.stack_id]

        thread = threading.Thread(target=work, name=f"stack {stack.name}", daemon=True)
        with self._lock:
            self._threads[stack.stack_id] = thread
            thread.start()

    def wait(self) -> None:
        """Until every operation has come to its end."""
        with self._lock:
            running = list(self._threads.values())
        for thread in running:
            thread.join()

    @property
    def is_empty(self) -> bool:
        with self._lock:
            return not self._threads

    def wait_for(self, stack: Stack, seconds: float, is_held: Callable[[], bool]) -> None:
        """Until the stack's operation has ended or is held, but not for longer than this."""
        thread = self._threads.get(stack.stack_id)
        until = time.monotonic() + seconds
        while thread is not None and thread.is_alive() and time.monotonic() < until and not is_held():
            thread.join(LOOK_SECONDS)


def _fail(stack: Stack, reason: str) -> None:
    stack.set_status(stack.status.replace("_COMPLETE_CLEANUP", "").replace("_IN_PROGRESS", "_FAILED"), reason)
