"""The root volume of an instance, with the defaults of its absent keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.machine import RootVolume
    from neuron_cluster.resolved.machine_image import MachineImage


class ResolvedRootVolume(Struct, frozen=True):
    """A gp3 volume."""

    size_gib: int
    iops: int
    throughput_mibps: int


def resolve_root_volume(
    spec: RootVolume | None, instance_type: InstanceType | None, image: MachineImage | None, catalog: Catalog
) -> ResolvedRootVolume | None:
    """As given, else as large as the documents of the instance type ask for, else as its image needs; None where both
    are unknown."""
    if spec is not None:
        return ResolvedRootVolume(spec.size_gib, spec.iops, spec.throughput_mibps)
    size = (instance_type.root_volume_minimum_gib if instance_type is not None else None) or (
        image.root_volume_gib if image is not None else None
    )
    if size is None:
        return None
    iops, throughput = catalog.limits["ebs_gp3_iops"], catalog.limits["ebs_gp3_throughput"]
    return ResolvedRootVolume(size, iops.require_minimum(), throughput.require_minimum())
