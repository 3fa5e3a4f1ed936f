"""A use that a service bills by the hour at a price that no source states."""

from __future__ import annotations

from msgspec import Struct


class UnpricedUse(Struct, frozen=True):
    """Units by how many instances run: at the minimum, at the first deployment, at most. None: nothing bounds them."""

    name: str
    what: str
    """As a line of the cost: ``the controller of size small``."""
    unit: str
    minimum: int
    desired: int
    maximum: int | None
