"""Machine decisions: the interfaces of every network card, image, market, placement, volume, user data."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.config.machine import LocalDisks, Machine
from neuron_cluster.plan.machine_plan import LocalDisksPlan, MachinePlan, SecurityGroupRole, VolumePlan
from neuron_cluster.planning.build_interfaces import build_interfaces
from neuron_cluster.planning.build_purchase_option import build_purchase_option
from neuron_cluster.resolved.compute_group import ClusterGroup, ComputeGroup


class ImageFacts(Struct, frozen=True):
    """What a machine takes from its image."""

    root_device_name: str
    root_volume_gib: int
    """Size of the root volume where neither the file nor the instance type says one."""
    has_nodeadm: bool
    """Whether nodeadm runs at first boot, which joins local disks."""


def build_machine(
    group: ClusterGroup,
    image: ImageFacts,
    region: str,
    catalog: Catalog,
    roles: tuple[SecurityGroupRole, ...],
) -> MachinePlan:
    """Decides everything about a machine. Enough is known of the type: rules E3001 and E3018 ran before.

    ``roles`` are the security groups of an interface with an address, beside those of EFA and of storage.
    """
    spec, instance_type = group.spec, known_instance_type(group)
    layout = catalog.interface_layout(group.efa_layout)
    lnc = group.logical_nc_config
    return MachinePlan(
        path=group.path,
        instance_type=instance_type.name,
        is_neuron=instance_type.chip is not None,
        interfaces=build_interfaces(layout, instance_type.efa_interfaces or 0, roles),
        placement_strategy="cluster" if group.in_placement_group else None,
        purchase=build_purchase_option(group.capacity),
        root_volume=_root_volume(spec, instance_type, image, catalog),
        local_disks=_local_disks(spec, instance_type, image),
        logical_nc_config=lnc,
        neuroncores=instance_type.neuron_cores_at(lnc) if lnc is not None else None,
        hourly_usd=instance_type.on_demand_price(region),
    )


def known_instance_type(group: ComputeGroup) -> InstanceType:
    """The catalog's row. Raises ``LookupError`` for a name that no rule should have let through."""
    if group.instance_type is None:
        raise LookupError(f"the catalog has no instance type {group.spec.instance_type}")
    return group.instance_type


def _local_disks(spec: Machine, instance_type: InstanceType, image: ImageFacts) -> LocalDisksPlan | None:
    """By default where the type has disks and nodeadm is there to join them."""
    by_default = LocalDisks.RAID0 if instance_type.local_disk_count and image.has_nodeadm else LocalDisks.NONE
    if (spec.local_disks or by_default) is LocalDisks.NONE:
        return None
    return LocalDisksPlan(instance_type.local_disk_count, instance_type.local_storage_gb)


def _root_volume(spec: Machine, instance_type: InstanceType, image: ImageFacts, catalog: Catalog) -> VolumePlan:
    by_default = instance_type.root_volume_minimum_gib or image.root_volume_gib
    volume = spec.root_volume
    return VolumePlan(
        device_name=image.root_device_name,
        size_gib=volume.size_gib if volume else by_default,
        iops=volume.iops if volume else catalog.limit("ebs_gp3_iops").require_minimum(),
        throughput_mibps=volume.throughput_mibps if volume else catalog.limit("ebs_gp3_throughput").require_minimum(),
    )
