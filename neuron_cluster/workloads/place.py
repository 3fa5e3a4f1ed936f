"""What a chart keeps outside of its pods, and where: a claim on a shared file system, or a prefix of an S3 bucket."""

from __future__ import annotations

from msgspec import Struct


class Place(Struct, frozen=True):
    """A key of the values with ``claim``, ``url`` or both below it.

    ``prefix`` is where it lies in a bucket that the user names; None where it must be a claim or an address.
    A place without which the chart does not work is ``is_required``, for the front ends of ``front_ends`` (None: all).
    """

    key: str
    holds: str
    prefix: str | None
    is_required: bool
    without_it: str
    front_ends: tuple[str, ...] | None = None

    def is_for(self, front_end: str) -> bool:
        return self.front_ends is None or front_end in self.front_ends
