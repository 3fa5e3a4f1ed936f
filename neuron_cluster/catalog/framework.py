"""Frameworks: supported chip generations, SDK releases and successors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table
from neuron_cluster.catalog.version import version_key

SupportState = Literal["supported", "beta", "maintenance", "retired"]


class FrameworkSupport(Struct, frozen=True, kw_only=True):
    """The support of a framework on some chip generations, for a range of SDK releases, both ends included.

    ``retired`` means that AWS no longer supports it there although packages may exist. ``sdk_from`` None: since
    before the oldest release of the catalog; ``sdk_until`` None: up to the newest. Outside a container it does not run
    on ``excluded_operating_systems``, with the names of DLAMIs. ``successor`` is the framework to move to on these chip
    generations, where it differs from that of the framework.
    """

    chips: tuple[str, ...]
    sdk_from: str | None
    sdk_until: str | None
    state: SupportState
    note: str | None = None
    excluded_operating_systems: tuple[str, ...] = ()
    successor: str | None = None

    def covers(self, chip: str, sdk: str) -> bool:
        """Whether the row applies to the chip generation and the SDK release."""
        after = self.sdk_from is None or version_key(sdk) >= version_key(self.sdk_from)
        before = self.sdk_until is None or version_key(sdk) <= version_key(self.sdk_until)
        return chip in self.chips and after and before


class Framework(SourcedRow, frozen=True, kw_only=True):
    """One framework (``name`` is ``vllm``). ``virtual_environments`` maps a kind of DLAMI to the short name of the
    virtual environment that contains it. ``successor`` is the framework to move to, where it is retired anywhere.
    ``sdk_part`` is the field of a Neuron SDK release with its version; None where no release contains it.
    """

    title: str
    purposes: tuple[Literal["training", "inference", "kernels"], ...]
    support: tuple[FrameworkSupport, ...]
    successor: str | None
    virtual_environments: FrozenMap[str, str]
    sdk_part: str | None = None
    images: tuple[str, ...] = ()
    """Frameworks in whose images it is, where it has none of its own."""
    also_called: tuple[str, ...] = ()
    """Names of its packages and common search terms, with hyphens."""

    def support_on(self, chip: str, sdk: str) -> FrameworkSupport | None:
        """The support of the pair; None when the framework never ran there."""
        return next((each for each in self.support if each.covers(chip, sdk)), None)

    def runs_on(self, chip: str, sdk: str) -> bool:
        """Whether AWS supports it there, in beta or maintenance included."""
        found = self.support_on(chip, sdk)
        return found is not None and found.state != "retired"

    def successor_on(self, chip: str, sdk: str) -> str | None:
        """The framework to move to on this chip generation from this release on; None where none is needed or known."""
        found = self.support_on(chip, sdk)
        if found is None or found.state in ("supported", "beta"):
            return None
        return found.successor or self.successor

    def is_in_image_of(self, framework: str) -> bool:
        """Whether an image of ``framework`` runs it."""
        return framework == self.name or framework in self.images

    def contradictions(self) -> Iterator[tuple[str, str]]:
        for position, each in enumerate(self.support):
            if each.sdk_from and each.sdk_until and version_key(each.sdk_from) > version_key(each.sdk_until):
                yield f"support[{position}]", "ends before it begins"


class FrameworkTable(Table[Framework]):
    def similar(self, name: str) -> list[str]:
        """Frameworks that are also called ``name``, else those whose names look like it."""
        plain = name.lower().replace("_", "-")
        called = [row.name for row in self if plain in row.also_called]
        return called or super().similar(name)

    def successor_in_words(self, row: Framework, chip: Chip, sdk: str) -> str | None:
        """The framework to move to, with instances for it where the chip never runs it; None where none is known."""
        name = row.successor_on(chip.name, sdk)
        next_row = self.get(name) if name is not None else None
        if name is None or next_row is None or any(chip.name in support.chips for support in next_row.support):
            return name
        return f"{name} on {chip.successor}" if chip.successor else f"{name} on other instances"
