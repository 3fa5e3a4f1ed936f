"""Workstation decisions: zone, image, what is active at login, interface, volume."""

from __future__ import annotations

from neuron_cluster.bootstrap.workstation_boot import boot_shell
from neuron_cluster.bootstrap.workstation_compile_cache import compile_cache_commands
from neuron_cluster.bootstrap.workstation_lustre import FOLDERS
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.addon_plan import CHECKPOINT_BUCKET_NAME
from neuron_cluster.plan.compile_cache_plan import CompileCachePlan
from neuron_cluster.plan.compute_group_plan import BootstrapPlan
from neuron_cluster.plan.machine_plan import InterfacePlan, MachinePlan, SecurityGroupRole
from neuron_cluster.plan.workstation_plan import (
    WorkstationCachePlan,
    WorkstationEfsPlan,
    WorkstationLustrePlan,
    WorkstationPlan,
)
from neuron_cluster.planning.build_dlami_group import build_dlami_image, known_dlami
from neuron_cluster.planning.build_machine import build_root_volume, known_instance_type
from neuron_cluster.planning.build_purchase_option import build_purchase_option
from neuron_cluster.resolved.workstation import WorkstationGroup

INTERFACE = InterfacePlan(0, 0, "interface", (SecurityGroupRole.WORKSTATION,))
"""One plain interface: EFA is for instances that talk to each other."""


def build_workstation(
    group: WorkstationGroup, region: str, lock: Lock | None, catalog: Catalog, cache: CompileCachePlan | None = None
) -> WorkstationPlan:
    """Decides everything about one workstation. The catalog has its type and image: rules E3001, E7001 ran before."""
    spec, dlami = group.spec, known_dlami(group.dlami, group.spec.dlami)
    virtual_environment = spec.virtual_environment or dlami.default_virtual_environment
    folder = dlami.virtual_environments[virtual_environment] if virtual_environment else None
    return WorkstationPlan(
        path=group.path,
        name=group.name,
        machine=_machine(group, region),
        image=build_dlami_image(dlami, lock, spec.ami_id),
        bootstrap=BootstrapPlan(_shell(group, region, dlami, folder) or None),
        scaling=group.scaling,
        zone_ids=group.zone_ids,
        login_user=dlami.login_user,
        virtual_environment=folder,
        home=spec.home,
        idle_stop_minutes=spec.idle_stop_minutes,
        team=group.team,
        image_owner=spec.ami_owner,
        efs=WorkstationEfsPlan(tuple(spec.efs), dlami.efs_client) if spec.efs and dlami.efs_client else None,
        lustre=_lustre(group, catalog),
        compile_cache=_compile_cache(group, region, dlami, cache, catalog) if cache is not None else None,
    )


def _lustre(group: WorkstationGroup, catalog: Catalog) -> WorkstationLustrePlan | None:
    """None where the client is unknown: rule E4101 ran before."""
    system = group.dlami.operating_system if group.spec.lustre and group.dlami is not None else None
    client = catalog.lustre_clients.get(system) if system is not None else None
    if client is None or client.package is None:
        return None
    return WorkstationLustrePlan(client.package, FOLDERS)


def _compile_cache(
    group: WorkstationGroup, region: str, dlami: Dlami, cache: CompileCachePlan, catalog: Catalog
) -> WorkstationCachePlan | None:
    chip_name = known_instance_type(group).chip
    known = catalog.chips.get(chip_name) if chip_name is not None else None
    if known is None:
        return None
    commands = compile_cache_commands(
        address=f"s3://{CHECKPOINT_BUCKET_NAME}/{cache.prefix.rstrip('/')}",
        region=region,
        login_user=dlami.login_user,
        target=known.families[0],
        lnc=group.logical_nc_config,
    )
    return WorkstationCachePlan(tuple(commands))


def _shell(group: WorkstationGroup, region: str, dlami: Dlami, virtual_environment: str | None) -> str:
    return boot_shell(
        login_user=dlami.login_user,
        region=region,
        virtual_environment=virtual_environment,
        has_home=group.spec.home is not None,
        stops_when_idle=group.spec.idle_stop_minutes > 0,
    )


def _machine(group: WorkstationGroup, region: str) -> MachinePlan:
    instance_type = known_instance_type(group)
    return MachinePlan(
        path=group.path,
        instance_type=instance_type.name,
        is_neuron=instance_type.chip is not None,
        interfaces=(INTERFACE,),
        placement_strategy=None,
        purchase=build_purchase_option(group.capacity),
        root_volume=build_root_volume(group),
        logical_nc_config=group.logical_nc_config,
        hourly_usd=instance_type.on_demand_price(region),
    )
