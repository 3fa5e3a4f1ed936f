"""Workstations of the file, with the defaults of their absent keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.resolved.compute_group import ComputeGroup
from neuron_cluster.resolved.dlami_host import dlami_host
from neuron_cluster.resolved.machine_image import dlami_image
from neuron_cluster.resolved.root_volume import resolve_root_volume
from neuron_cluster.resolved.scaling import ONE_MACHINE

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.storage import Home
    from neuron_cluster.config.workstation import Workstation
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.neuron_host import NeuronHost


class WorkstationGroup(ComputeGroup, frozen=True):
    """A compute group of one instance. What the catalog or the file does not know is None (rules E7001, E7004)."""

    noun = "workstation"

    spec: Workstation
    dlami: Dlami | None = None
    home: Home | None = None

    @property
    def zone_id(self) -> str:
        """Where it runs: as given, else where its home is, else the first zone of the network."""
        return self.zone_ids[0]

    def pinned_ami(self, lock: Lock | None) -> str | None:
        return self.spec.ami_id or (lock.dlami_id(self.spec.dlami) if lock is not None else None)

    def neuron_host(self, instance_type: InstanceType, catalog: Catalog, lock: Lock | None) -> NeuronHost:
        """With the driver of the SDK release that its DLAMI has."""
        spec = self.spec
        has_home = spec.home is not None
        return dlami_host(
            self, instance_type, spec.dlami, self.dlami, catalog, lock, pinned=spec.ami_id, has_home=has_home
        )


def resolve_workstations(config: EnvironmentConfig, catalog: Catalog) -> Iterator[WorkstationGroup]:
    """The workstations in the order of the file."""
    homes = config.storage.homes if config.storage is not None else []
    for position, spec in enumerate(config.workstations):
        home = next((home for home in homes if home.name == spec.home), None)
        dlami, instance_type = catalog.dlamis.get(spec.dlami), catalog.instance_types.get(spec.instance_type)
        image = dlami_image(dlami)
        of_home = home.availability_zone if home is not None else None
        yield WorkstationGroup(
            path=("workstations", position),
            name=spec.name,
            provider="workstations",
            spec=spec,
            instance_type=instance_type,
            zone_ids=(spec.availability_zone or of_home or config.network.zone_ids[0],),
            scaling=ONE_MACHINE,
            image=image,
            root_volume=resolve_root_volume(spec.root_volume, instance_type, image, catalog),
            team=spec.team,
            dlami=dlami,
            home=home,
        )
