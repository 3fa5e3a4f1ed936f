"""Data and objects of a team that stay on a cluster when it leaves, and how they are deleted."""

from __future__ import annotations

from msgspec import Struct


class Part(Struct, frozen=True):
    """A removed or kept part; ``note`` is the effect of its removal, or the reason why it stays."""

    kind: str
    name: str
    note: str = ""


class DepartureStep(Struct, frozen=True):
    """``deletes_data``: what it deletes cannot be restored."""

    words: str
    commands: tuple[str, ...] = ()
    deletes_data: bool = False


class TeamDeparture(Struct, frozen=True, kw_only=True):
    """``removed`` by the next deploy without the team, ``kept`` by it, and the steps before and after that deploy."""

    removed: tuple[Part, ...]
    kept: tuple[Part, ...]
    before: tuple[DepartureStep, ...]
    after: tuple[DepartureStep, ...]
