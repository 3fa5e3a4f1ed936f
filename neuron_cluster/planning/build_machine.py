"""Machine decisions: the interfaces of every network card, image, market, placement, volume, user data."""

from __future__ import annotations

from neuron_cluster.catalog.ami_type import AmiType
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.config.machine import EfaLayout, LocalDisks, Machine, Placement
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.machine_plan import LocalDisksPlan, MachinePlan, MarketPlan, VolumePlan
from neuron_cluster.planning.build_interfaces import build_interfaces
from neuron_cluster.planning.build_market import build_market
from neuron_cluster.planning.build_node_config import build_node_config

LNC_FILE = "/opt/aws/neuron/logical_nc_config"
"""Read by the Neuron runtime and the device plugin; source: aws-neuron/aws-neuron-sdk, deploy/eks/prerequisites.rst."""


def build_machine(
    wish: Machine,
    path: KeyPath,
    region: str,
    catalog: Catalog,
    *,
    ami_release: str | None,
    lock: Lock | None = None,
) -> MachinePlan:
    """Decides everything a launch template says. Enough is known of the type: rules E3001 and E3018 ran before."""
    instance_type = known_instance_type(wish.instance_type, catalog)
    ami_type = catalog.ami_type(instance_type.eks_ami_type or "")
    if ami_type is None:  # rows that refer to each other are compared by a test
        raise LookupError(f"the catalog has no AMI type {instance_type.eks_ami_type}")
    market = build_market(wish.capacity)
    layout = catalog.interface_layout(_layout(wish, instance_type))
    lnc = _logical_nc_config(wish, instance_type)
    effective_lnc = lnc if lnc is not None else instance_type.default_logical_nc_config
    local_disks = _local_disks(wish, instance_type, ami_type)
    return MachinePlan(
        path=path,
        instance_type=instance_type.name,
        is_neuron=instance_type.chip is not None,
        ami_type=ami_type.name,
        ami_release=ami_release or _locked_release(lock, ami_type),
        interfaces=build_interfaces(layout, instance_type.efa_interfaces or 0),
        placement_strategy=_placement(wish, market, has_efa=layout.has_efa),
        market=market,
        root_volume=_root_volume(wish, instance_type, ami_type, catalog),
        user_data_shell=None
        if lnc is None
        else f"mkdir -p /opt/aws/neuron\necho NEURON_LOGICAL_NC_CONFIG={lnc} > {LNC_FILE}\n",
        node_config=build_node_config(
            catalog, joins_disks=local_disks is not None, has_efa=layout.has_efa and ami_type.has_nodeadm
        ),
        local_disks=local_disks,
        logical_nc_config=effective_lnc,
        neuroncores=instance_type.neuron_cores_at(effective_lnc) if effective_lnc is not None else None,
        hourly_usd=instance_type.on_demand_price(region),
    )


def _locked_release(lock: Lock | None, ami_type: AmiType) -> str | None:
    locked = lock.ami_releases.get(ami_type.name) if lock is not None else None
    return locked.release_version if locked is not None else None


def known_instance_type(name: str, catalog: Catalog) -> InstanceType:
    """The catalog's row. Raises ``LookupError`` for a name that no rule should have let through."""
    instance_type = catalog.instance_type(name)
    if instance_type is None:
        raise LookupError(f"the catalog has no instance type {name}")
    return instance_type


def _layout(wish: Machine, instance_type: InstanceType) -> EfaLayout:
    return wish.efa or (EfaLayout.EFA if instance_type.efa_interfaces else EfaLayout.OFF)


def _placement(wish: Machine, market: MarketPlan, *, has_efa: bool) -> str | None:
    """A reservation or block already has its place: a group of our own would leave part of it unused."""
    if wish.placement is None:
        return "cluster" if has_efa and not market.is_reserved else None
    return "cluster" if wish.placement is Placement.CLUSTER else None


def _logical_nc_config(wish: Machine, instance_type: InstanceType) -> int | None:
    """The LNC to write at boot; None where the chip's default is meant and nothing needs to be written."""
    if wish.logical_nc_config in (None, instance_type.default_logical_nc_config):
        return None
    return wish.logical_nc_config


def _local_disks(wish: Machine, instance_type: InstanceType, ami_type: AmiType) -> LocalDisksPlan | None:
    """By default where the type has disks and nodeadm is there to join them."""
    by_default = LocalDisks.RAID0 if instance_type.local_disk_count and ami_type.has_nodeadm else LocalDisks.NONE
    if (wish.local_disks or by_default) is LocalDisks.NONE:
        return None
    return LocalDisksPlan(instance_type.local_disk_count, instance_type.local_storage_gb)


def _root_volume(wish: Machine, instance_type: InstanceType, ami_type: AmiType, catalog: Catalog) -> VolumePlan:
    by_default = instance_type.root_volume_minimum_gib or ami_type.default_root_volume_gib
    volume = wish.root_volume
    return VolumePlan(
        device_name=ami_type.root_device_name,
        size_gib=volume.size_gib if volume else by_default,
        iops=volume.iops if volume else catalog.limit("ebs_gp3_iops").require_minimum(),
        throughput_mibps=volume.throughput_mibps if volume else catalog.limit("ebs_gp3_throughput").require_minimum(),
    )
