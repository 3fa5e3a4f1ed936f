"""Shrinking a failure that costs seconds for each look.

Hypothesis would look five hundred times, an hour of lives. Here a life is lived once for each pair of files, what it
came to is remembered, and after a budget of seconds since the first failure no new life begins: a pair that was never
tried then counts as one that passes, so that shrinking ends with the smallest pair that did fail. Only the files are
drawn then, in milliseconds, and Hypothesis itself ends that after five minutes.
"""

from __future__ import annotations

import time
from collections.abc import Callable


class Patience:
    """Remembers outcomes by the text of an example."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._passed: set[str] = set()
        self._failed: dict[str, BaseException] = {}
        self._first_failure: float | None = None

    def run(self, text: str, look: Callable[[], None]) -> None:
        """Raises what the look at this example raised, now or the first time."""
        if text in self._failed:
            raise self._failed[text]
        is_over = self._first_failure is not None and time.monotonic() - self._first_failure > self._seconds
        if text in self._passed or is_over:
            return
        try:
            look()
        except BaseException as error:
            self._failed[text] = error
            self._first_failure = self._first_failure or time.monotonic()
            raise
        self._passed.add(text)
