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
    """``removed`` by the next deploy without the team, what it keeps, and the steps before and after that deploy."""

    removed: tuple[Part, ...]
    objects: tuple[Part, ...] = ()
    """Kept objects of the cluster."""
    files: tuple[Part, ...] = ()
    """Kept files in its shared storage."""
    kept: tuple[Part, ...] = ()
    """Anything else that is kept."""
    before: tuple[DepartureStep, ...]
    after: tuple[DepartureStep, ...]

    @property
    def all_kept(self) -> tuple[Part, ...]:
        """Objects, files and the rest, in this order."""
        return (*self.objects, *self.files, *self.kept)
