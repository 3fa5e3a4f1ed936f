"""Workstation decisions: zone, image, what is active at login, interface, volume."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.config.environment import EnvironmentConfig
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.config.workstation import Workstation
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.machine_plan import InterfacePlan, MachinePlan, SecurityGroupRole, VolumePlan
from neuron_cluster.plan.workstation_boot import boot_shell
from neuron_cluster.plan.workstation_plan import BY_PARAMETER, WorkstationPlan
from neuron_cluster.planning.build_machine import known_instance_type
from neuron_cluster.planning.build_market import build_market

INTERFACE = InterfacePlan(0, 0, "interface", (SecurityGroupRole.WORKSTATION,))
"""One plain interface: EFA is for machines that talk to each other."""


def build_workstation(
    wish: Workstation, path: KeyPath, config: EnvironmentConfig, catalog: Catalog, lock: Lock | None
) -> WorkstationPlan:
    """Decides everything about one workstation. The catalog knows its type and image: rules E3001, E7001 ran before."""
    dlami = catalog.dlami(wish.dlami)
    if dlami is None:
        raise LookupError(f"the catalog has no DLAMI {wish.dlami}")
    virtual_environment = wish.virtual_environment or dlami.default_virtual_environment
    folder = dlami.virtual_environments[virtual_environment] if virtual_environment else None
    return WorkstationPlan(
        path=path,
        name=wish.name,
        machine=_machine(wish, path, config.region, dlami, folder, catalog, _image(wish, dlami, lock)),
        zone_id=zone_of(wish, config),
        dlami=dlami.name,
        login_user=dlami.login_user,
        virtual_environment=folder,
        home=wish.home,
        idle_stop_minutes=wish.idle_stop_minutes,
        team=wish.team,
        image_owner=wish.ami_owner,
    )


def zone_of(wish: Workstation, config: EnvironmentConfig) -> str:
    """Where it runs: as asked, else where its home is, else the first zone of the network."""
    homes = config.storage.homes if config.storage is not None else []
    of_home = next((home.availability_zone for home in homes if home.name == wish.home), None)
    return wish.availability_zone or of_home or config.network.availability_zones[0]


def _image(wish: Workstation, dlami: Dlami, lock: Lock | None) -> str:
    locked = lock.dlamis.get(dlami.name) if lock is not None else None
    pinned = wish.ami_id or (locked.image_id if locked is not None else None)
    return pinned or f"{BY_PARAMETER}{dlami.ssm_parameter}"


def _machine(
    wish: Workstation,
    path: KeyPath,
    region: str,
    dlami: Dlami,
    virtual_environment: str | None,
    catalog: Catalog,
    image: str,
) -> MachinePlan:
    instance_type = known_instance_type(wish.instance_type, catalog)
    shell = boot_shell(
        login_user=dlami.login_user,
        region=region,
        virtual_environment=virtual_environment,
        has_home=wish.home is not None,
        stops_when_idle=wish.idle_stop_minutes > 0,
    )
    return MachinePlan(
        path=path,
        instance_type=instance_type.name,
        is_neuron=instance_type.chip is not None,
        ami_type=None,
        ami_release=None,
        interfaces=(INTERFACE,),
        placement_strategy=None,
        market=build_market(wish.capacity),
        root_volume=_root_volume(wish, instance_type, dlami, catalog),
        user_data_shell=shell or None,
        logical_nc_config=instance_type.default_logical_nc_config,
        hourly_usd=instance_type.on_demand_price(region),
        image=image,
    )


def _root_volume(wish: Workstation, instance_type: InstanceType, dlami: Dlami, catalog: Catalog) -> VolumePlan:
    volume = wish.root_volume
    return VolumePlan(
        device_name=dlami.root_device_name,
        size_gib=volume.size_gib if volume else instance_type.root_volume_minimum_gib or dlami.root_volume_gib,
        iops=volume.iops if volume else catalog.limit("ebs_gp3_iops").require_minimum(),
        throughput_mibps=volume.throughput_mibps if volume else catalog.limit("ebs_gp3_throughput").require_minimum(),
    )
