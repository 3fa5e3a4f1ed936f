"""The threads in which stacks are worked on."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from neuron_cluster.local_aws.engine.machinery import Stopping
from neuron_cluster.local_aws.engine.stack import Stack


class OperationsInProgress:
    """One thread per running operation."""

    def __init__(self) -> None:
        self._threads: dict[str, threading.Thread] = {}
        """By stack id: the last operation of each stack."""

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

        thread = threading.Thread(target=work, name=f"stack {stack.name}", daemon=True)
        self._threads[stack.stack_id] = thread
        thread.start()

    def wait(self) -> None:
        """Until every operation has come to its end."""
        for thread in list(self._threads.values()):
            thread.join()

    def wait_for(self, stack: Stack, seconds: float) -> None:
        """Until the stack's operation has come to its end, but not for longer than this."""
        thread = self._threads.get(stack.stack_id)
        if thread is not None:
            thread.join(seconds)


def _fail(stack: Stack, reason: str) -> None:
    stack.set_status(stack.status.replace("_COMPLETE_CLEANUP", "").replace("_IN_PROGRESS", "_FAILED"), reason)
