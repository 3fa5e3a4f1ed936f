"""Decisions about the first boot of a node: settings of its scripts, file systems, users."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.bootstrap.mounts import NODE_LUSTRE, access_point_folder
from neuron_cluster.planning.build_lnc_shell import build_lnc_shell
from neuron_cluster.planning.build_machine import known_instance_type
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.schedulers.slurm import node_start_choices as choices
from neuron_cluster.schedulers.slurm.node_settings import node_settings
from neuron_cluster.schedulers.slurm.node_start_plan import NodeStartPlan

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.lustre_client import ClientPackage
    from neuron_cluster.plan.machine_plan import MachinePlan
    from neuron_cluster.providers.pcs.groups import SlurmGroup
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

COMMANDS = "/opt/aws/pcs/scheduler/slurm-{version}/bin"
"""The folder in which the installer of PCS has the programs of Slurm.

Source: https://docs.aws.amazon.com/pcs/latest/userguide/working-with_ami_installers_slurm.html
"""


def build_node_start(
    group: SlurmGroup, machine: MachinePlan, environment: ResolvedEnvironment, catalog: Catalog
) -> NodeStartPlan:
    """Returns the first boot of a group, also of the login group: a node without the scripts would fail all jobs."""
    config = environment.config
    slurm, has_lustre = config.section(Slurm), choices.has_lustre(config)
    efs = config.storage.efs if config.storage is not None else None
    access_points = tuple(point.name for point in efs.access_points) if efs is not None else ()
    row = known_instance_type(group)
    lnc = machine.logical_nc_config
    folders = (NODE_LUSTRE.folder,) if has_lustre else ()
    return NodeStartPlan(
        node=node_settings(
            row,
            slurm_commands=COMMANDS.format(version=slurm.version if slurm is not None else ""),
            logical_nc_config=lnc if lnc != row.default_logical_nc_config else None,
            efa_interfaces=sum(each.interface_type.startswith("efa") for each in machine.interfaces),
            mounts=(*folders, *(access_point_folder(name) for name in access_points)),
            compile_cache=choices.compile_cache(config),
            has_closed_metadata=choices.has_closed_metadata(config),
        ),
        image_user=group.dlami.login_user if group.dlami is not None else None,
        lnc_shell=build_lnc_shell(group, machine),
        has_lustre=has_lustre,
        lustre_package=_lustre_package(group, catalog) if has_lustre else None,
        access_points=access_points,
        efs_package=group.dlami.efs_client if group.dlami is not None else None,
        has_bucket=choices.uses_bucket(config),
        users=choices.team_users(config),
    )


def _lustre_package(group: SlurmGroup, catalog: Catalog) -> ClientPackage | None:
    client = catalog.lustre_clients.get(group.dlami.operating_system) if group.dlami is not None else None
    return client.package if client is not None else None
