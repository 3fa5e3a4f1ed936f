"""The tables that are refreshed, read from one folder of data files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from neuron_cluster.catalog.ami_release import AmiRelease
from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.catalog.instance_type import InstanceType, generation_of
from neuron_cluster.catalog.managed_addon import ManagedAddon
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import FolderTable, Table

ROW_TYPES: dict[str, type[SourcedRow]] = {
    "dlamis.yaml": Dlami,
    "ami_releases.yaml": AmiRelease,
    "addons.yaml": ManagedAddon,
}
"""The type of the rows of a file; every other file that is refreshed has instance types."""


def row_type_of(file: Path) -> type[SourcedRow]:
    return ROW_TYPES.get(file.name, InstanceType)


@dataclass(frozen=True)
class Tables:
    """Raises CatalogError when a data file is wrong."""

    data: Path
    catalog: Catalog
    """The toolkit's own, for what is only looked up."""
    instance_types: Mapping[str, InstanceType]
    dlamis: Mapping[str, Dlami]
    ami_releases: Mapping[str, AmiRelease]
    addons: Mapping[str, ManagedAddon]

    @classmethod
    def read(cls, data: Path) -> Self:
        return cls(
            data,
            load_catalog(),
            FolderTable(data / "instance_types", InstanceType, generation_of).by_name,
            Table(data / "dlamis.yaml", Dlami).by_name,
            Table(data / "ami_releases.yaml", AmiRelease).by_name,
            Table(data / "addons.yaml", ManagedAddon).by_name,
        )
