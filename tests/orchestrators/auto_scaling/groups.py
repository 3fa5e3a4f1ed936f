"""Its compute groups, with the defaults of absent keys."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.config.environment import EnvironmentConfig
from neuron_cluster.lock.model import Lock
from neuron_cluster.resolved.compute_group import ClusterGroup
from neuron_cluster.resolved.dlami_host import dlami_host
from neuron_cluster.resolved.machine_image import MachineImage
from neuron_cluster.resolved.neuron_host import NeuronHost
from neuron_cluster.resolved.root_volume import resolve_root_volume
from neuron_cluster.resolved.scaling import Scaling, ScalingKind
from tests.orchestrators.auto_scaling.config import AutoScaling, AutoScalingGroup


class ScaledGroup(ClusterGroup, frozen=True):
    """One Auto Scaling group."""

    noun = "Auto Scaling group"
    machine_noun = "instance"

    spec: AutoScalingGroup

    def neuron_host(self, instance_type: InstanceType, catalog: Catalog, lock: Lock | None) -> NeuronHost:
        del lock
        return dlami_host(self, instance_type, self.spec.dlami, catalog.dlami(self.spec.dlami), catalog)


def resolve_groups(config: EnvironmentConfig, catalog: Catalog) -> Iterator[ScaledGroup]:
    section = config.section(AutoScaling)
    for position, spec in enumerate(section.groups if section is not None else ()):
        dlami, instance_type = catalog.dlami(spec.dlami), catalog.instance_type(spec.instance_type)
        image = MachineImage(dlami.name, dlami.root_device_name, dlami.root_volume_gib) if dlami is not None else None
        zones = [spec.availability_zone] if spec.availability_zone else config.network.availability_zones
        yield ScaledGroup(
            path=("auto_scaling", "groups", position),
            name=spec.name,
            orchestrator="auto_scaling",
            spec=spec,
            instance_type=instance_type,
            zone_ids=tuple(dict.fromkeys(zones)),
            scaling=Scaling(ScalingKind.RANGE, spec.count.min, spec.count.desired, spec.count.max),
            image=image,
            root_volume=resolve_root_volume(spec.root_volume, instance_type, image, catalog),
            queue=spec.queue,
        )
