"""What a process that starts, answers once and ends need not do: look for garbage among what it keeps until the end."""

from __future__ import annotations

import atexit
import gc

THRESHOLD = 100_000
"""Objects between two collections. Looking through all that a start makes, again and again, takes a twentieth of
`validate`."""


def collect_rarely() -> None:
    """To be called first. Memory is still given back by reference counts, and by the system when the process ends.

    At its end Python looks for garbage three times over, which took an eighth of `validate` and a fifth of synthesis;
    what is frozen it passes over.
    """
    gc.set_threshold(THRESHOLD)
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)
