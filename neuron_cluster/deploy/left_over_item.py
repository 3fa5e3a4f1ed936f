"""A thing outside of the stacks, and the command that deletes it."""

from __future__ import annotations

from msgspec import Struct


class LeftOver(Struct, frozen=True):
    """One thing, and the command that deletes it."""

    what: str
    command: str
