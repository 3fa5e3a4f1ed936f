"""A workstation as the file asks for it, with what its absent keys default to.

The plan decides the same defaults for good; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.environment import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.config.storage import Home
    from neuron_cluster.config.workstation import Workstation


class AskedWorkstation(Struct, frozen=True):
    """One workstation of the file. What the catalog or the file does not know is None (rules E3001, E7001, E7004)."""

    path: KeyPath
    workstation: Workstation
    instance_type: InstanceType | None
    dlami: Dlami | None
    home: Home | None
    zone_id: str
    """Where it runs: as asked, else where its home is, else the first zone of the network."""


def asked_workstations(config: EnvironmentConfig, catalog: Catalog) -> Iterator[AskedWorkstation]:
    """The workstations in the order of the file."""
    homes = config.storage.homes if config.storage is not None else []
    for position, workstation in enumerate(config.workstations):
        home = next((home for home in homes if home.name == workstation.home), None)
        of_home = home.availability_zone if home is not None else None
        yield AskedWorkstation(
            path=("workstations", position),
            workstation=workstation,
            instance_type=catalog.instance_type(workstation.instance_type),
            dlami=catalog.dlami(workstation.dlami),
            home=home,
            zone_id=workstation.availability_zone or of_home or config.network.availability_zones[0],
        )
