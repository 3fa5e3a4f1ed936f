"""The tables that are refreshed, read from one folder of data files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self

from neuron_cluster.catalog.ami_release import AmiRelease
from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.instance_type import FOLDER, InstanceType
from neuron_cluster.catalog.managed_addon import ManagedAddon
from neuron_cluster.catalog.source_data import read_rows, read_rows_of_folder
from neuron_cluster.catalog.sourced_row import SourcedRow

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
    instance_types: FrozenMap[str, InstanceType]
    dlamis: FrozenMap[str, Dlami]
    ami_releases: FrozenMap[str, AmiRelease]
    addons: FrozenMap[str, ManagedAddon]

    @classmethod
    def read(cls, data: Path) -> Self:
        return cls(
            data,
            load_catalog(),
            read_rows_of_folder(data / FOLDER.name, partial(read_rows, row_type=InstanceType)),
            read_rows(data / "dlamis.yaml", Dlami),
            read_rows(data / "ami_releases.yaml", AmiRelease),
            read_rows(data / "addons.yaml", ManagedAddon),
        )
