"""Choosing among the rows of the catalog."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import fields

from neuron_cluster.catalog.ami_type import AmiType
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.container import Container
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.catalog.ecs_ami import EcsAmi
from neuron_cluster.catalog.framework import Framework
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.suggestions import did_you_mean_one_of


class CatalogFilter(Struct, frozen=True, kw_only=True):
    """The criteria of a choice; a field at its default excludes nothing."""

    chip: str | None = None
    sdk: str | None = None
    family: str | None = None
    region: str | None = None
    min_chips: int = 0
    efa: bool = False

    @property
    def used(self) -> frozenset[str]:
        """Names of the fields that were given."""
        return frozenset(field.name for field in fields(self) if getattr(self, field.name) != field.default)

    def unknown_values(self, catalog: Catalog) -> Iterator[Finding]:
        """A finding for each value that no row has."""
        instance_families = {row.family for row in catalog.instance_types} if self.family is not None else ()
        known: dict[str, Sequence[str]] = {
            "chip": [row.name for row in catalog.chips],
            "sdk": [row.name for row in catalog.neuron_sdks] if self.sdk is not None else (),
            "family": sorted({*instance_families, *(name for row in catalog.chips for name in row.families)}),
            "region": [row.name for row in catalog.regions] if self.region is not None else (),
        }
        for field, names in known.items():
            value = getattr(self, field)
            if value is not None and value not in names:
                hint = did_you_mean_one_of(value, names).rstrip() or f"known: {', '.join(names)}"
                yield Finding("E0017", Location(value), f'--{field}: the catalog has no "{value}"', hint)

    def wants(self, row: SourcedRow, catalog: Catalog) -> bool:
        """Whether the row passes. Kinds of row without a field are excluded by ``FILTERS``."""
        match row:
            case InstanceType():
                return self._wants_instance(row)
            case Dlami() | Container():
                sdk_fits = self.sdk in (None, row.neuron_sdk)
                return sdk_fits and self._runs_on(row.families, catalog)
            case AmiType() | EcsAmi():
                return self.chip is None or self.chip in row.chips
            case Framework():
                return self._wants_framework(row)
            case _:
                return True

    def _wants_instance(self, row: InstanceType) -> bool:
        return (
            self.chip in (None, row.chip)
            and self.family in (None, row.family)
            and (self.region is None or bool(row.offered_zone_ids(self.region)))
            and (row.neuron_devices or 0) >= self.min_chips
            and (not self.efa or bool(row.efa_interfaces))
        )

    def _runs_on(self, families: tuple[str, ...], catalog: Catalog) -> bool:
        """Families with one chip run the same images, also where the list of images names but one of them."""
        chip = next((row for row in catalog.chips if self.chip == row.name), None)
        by_chip = chip is None or not set(chip.families).isdisjoint(families)
        related = next((row.families for row in catalog.chips if self.family in row.families), (self.family,))
        return by_chip and (self.family is None or not set(related).isdisjoint(families))

    def _wants_framework(self, row: Framework) -> bool:
        chips = {chip for each in row.support for chip in each.chips} if self.chip is None else {self.chip}
        if self.sdk is not None:
            return any(row.support_on(chip, self.sdk) is not None for chip in chips)
        return any(chip in each.chips for each in row.support for chip in chips)


FILTERS: dict[str, frozenset[str]] = {
    "instances": frozenset({"chip", "family", "region", "min_chips", "efa"}),
    "frameworks": frozenset({"chip", "sdk"}),
    "containers": frozenset({"chip", "sdk", "family"}),
    "dlamis": frozenset({"chip", "sdk", "family"}),
    "amis": frozenset({"chip"}),
    "ecs": frozenset({"chip"}),
}
"""The fields that each kind of row can be chosen by; other kinds by none."""
