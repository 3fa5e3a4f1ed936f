"""Decisions about the AMI of Slurm nodes: from which image, with which software."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.catalog.slurm_software import AGENT
from neuron_cluster.image.clients import has_lustre_client, missing_clients
from neuron_cluster.providers.pcs.groups import login_group
from neuron_cluster.schedulers.slurm.image.containers import container_software, missing_containers
from neuron_cluster.schedulers.slurm.image.image_plan import SlurmImagePlan

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.providers.pcs.config.cluster import Slurm
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


def build_image_plan(
    slurm: Slurm, dlami: Dlami, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None
) -> SlurmImagePlan | None:
    """Returns the image; None for a Slurm version whose installer the catalog does not have."""
    installer, login = catalog.slurm_software.installer(slurm.version), login_group(environment)
    if installer is None or login is None:
        return None
    system = dlami.operating_system
    containers = container_software(slurm.version, system, catalog)
    storage = environment.config.storage
    parent = lock.dlamis.get(dlami.name) if lock is not None else None
    return SlurmImagePlan(
        environment=environment.config.name,
        region=environment.config.region,
        dlami=dlami.name,
        parent=parent.image_id if parent is not None else None,
        operating_system=system,
        root_device_name=dlami.root_device_name,
        slurm_version=slurm.version,
        software={row.name: row.version for row in (catalog.slurm_software[AGENT], installer, *containers)},
        has_lustre=has_lustre_client(system, catalog),
        efs_package=dlami.efs_client,
        needs_efs=storage is not None and storage.efs is not None,
        needs_lustre=storage is not None and storage.lustre is not None,
        missing=(*missing_containers(slurm.version, system, catalog), *missing_clients(dlami, catalog)),
        own_image=slurm.ami_id,
        instance_type=slurm.login.instance_type,
        zone_id=login.zone_ids[0],
    )
