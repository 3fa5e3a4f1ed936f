"""Edits of the file that give a subnet enough addresses."""

from __future__ import annotations

from msgspec import Struct


class AddressEdits(Struct, frozen=True):
    """Parts of the hint of rule E1010 that only a provider knows."""

    fewer: str | None = None
    """How its instances take fewer addresses of the subnet, in addition to a lower maximum."""
    other_subnets: str | None = None
    """Edits that move its instances from a private subnet to others; None where that is not enough."""
