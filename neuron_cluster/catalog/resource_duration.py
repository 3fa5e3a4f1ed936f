"""How long CloudFormation takes to create, update and delete a resource, by its type."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.sourced_row import SourcedRow


class SecondsRange(Struct, frozen=True, kw_only=True):
    """From the shortest to the longest time, in seconds."""

    low: int
    high: int


class ResourceDuration(SourcedRow, frozen=True, kw_only=True):
    """One resource type, by its name in CloudFormation. None where no source has a figure."""

    create: SecondsRange | None = None
    update: SecondsRange | None = None
    delete: SecondsRange | None = None

    def contradictions(self) -> Iterator[tuple[str, str]]:
        given = {name: getattr(self, name) for name in ("create", "update", "delete")}
        if not any(given.values()):
            yield "create", "no operation has a figure: leave the row out"
        for name, seconds in given.items():
            if seconds is not None and not 0 <= seconds.low <= seconds.high:
                yield name, f"{seconds.low} to {seconds.high} is not a range of seconds"
