"""Instance decisions: the interfaces of every network card, image, purchase option, placement, volume, user data."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.config.machine import LocalDisks
from neuron_cluster.plan.machine_plan import LocalDisksPlan, MachinePlan, SecurityGroupRole, VolumePlan
from neuron_cluster.planning.build_interfaces import build_interfaces
from neuron_cluster.planning.build_purchase_option import build_purchase_option
from neuron_cluster.resolved.compute_group import ClusterGroup, ComputeGroup


def build_machine(
    group: ClusterGroup,
    region: str,
    catalog: Catalog,
    roles: tuple[SecurityGroupRole, ...],
) -> MachinePlan:
    """Decides everything about an instance. Enough is known of the type: rules E3001 and E3018 ran before.

    ``roles`` are the security groups of an interface with an address, in addition to those of EFA and of storage.
    """
    instance_type = known_instance_type(group)
    layout = catalog.interface_layouts[group.efa_layout]
    lnc = group.logical_nc_config
    return MachinePlan(
        path=group.path,
        instance_type=instance_type.name,
        is_neuron=instance_type.chip is not None,
        interfaces=build_interfaces(layout, instance_type.efa_interfaces or 0, roles),
        placement_strategy="cluster" if group.in_placement_group else None,
        purchase=build_purchase_option(group.capacity),
        root_volume=build_root_volume(group),
        local_disks=_local_disks(group, instance_type),
        logical_nc_config=lnc,
        neuroncores=instance_type.neuron_cores_at(lnc) if lnc is not None else None,
        hourly_usd=instance_type.on_demand_price(region),
    )


def known_instance_type(group: ComputeGroup) -> InstanceType:
    """The catalog's row. Raises ``LookupError`` for a name that no rule should have let through."""
    if group.instance_type is None:
        raise LookupError(f"the catalog has no instance type {group.spec.instance_type}")
    return group.instance_type


def build_root_volume(group: ComputeGroup) -> VolumePlan:
    """The root volume of its instances. Raises ``LookupError`` where no rule should have let the image through."""
    image, volume = group.image, group.root_volume
    if image is None or image.root_device_name is None or volume is None:
        raise LookupError(f"the catalog does not know the root volume of {group.name}")
    return VolumePlan(image.root_device_name, volume.size_gib, volume.iops, volume.throughput_mibps)


def _local_disks(group: ClusterGroup, instance_type: InstanceType) -> LocalDisksPlan | None:
    if group.local_disks is LocalDisks.NONE:
        return None
    return LocalDisksPlan(instance_type.local_disk_count, instance_type.local_storage_gb)
