"""One call at a time in an account and Region, so that what a check has found still holds when the call is carried out.

The interpreter runs one thread at a time anyway: calls lose no time by it, as long as none of them waits for another.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from local_aws.clients import GLOBAL_SERVICES
from local_aws.http.caller import Caller

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
