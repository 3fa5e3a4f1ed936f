"""What keeps a snapshot from being written or restored."""

from __future__ import annotations


class SnapshotError(Exception):
    """``hint`` is what the user can do about it. Nothing is written, and nothing restored."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message}; {hint}")
        self.message = message
        self.hint = hint
