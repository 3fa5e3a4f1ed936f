"""Decisions about the AMI of Slurm nodes: from which image, with which software."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.catalog.slurm_software import AGENT, ENROOT
from neuron_cluster.providers.pcs.groups import login_group
from neuron_cluster.providers.pcs.image.image_plan import SlurmImagePlan

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.providers.pcs.config.cluster import Slurm
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


def build_image_plan(
    slurm: Slurm, dlami: Dlami, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None
) -> SlurmImagePlan | None:
    """None for a Slurm version whose installer the catalog does not have."""
    installer, login = catalog.slurm_installer(slurm.version), login_group(environment)
    if installer is None or login is None:
        return None
    installed = [catalog.slurm_software_row(AGENT), installer]
    missing = []
    enroot, pyxis = catalog.slurm_software_row(ENROOT), catalog.pyxis(slurm.version)
    if pyxis is not None and enroot.files_for(dlami.operating_system):
        installed += [enroot, pyxis]
    else:
        lack = "pyxis for" if pyxis is None else f"enroot on {dlami.operating_system}, for"
        missing.append(f"containers in jobs: the catalog has no {lack} Slurm {slurm.version}")
    client = catalog.lustre_client(dlami.operating_system)
    has_lustre = client is not None and client.package is not None
    if not has_lustre:
        missing.append(f"the Lustre client: the catalog has no package for {dlami.operating_system}")
    if dlami.efs_client is None:
        missing.append(f"the EFS mount helper: {dlami.operating_system} has no package of it")
    storage = environment.config.storage
    parent = lock.dlamis.get(dlami.name) if lock is not None else None
    return SlurmImagePlan(
        environment=environment.config.name,
        region=environment.config.region,
        dlami=dlami.name,
        parent=parent.image_id if parent is not None else None,
        operating_system=dlami.operating_system,
        root_device_name=dlami.root_device_name,
        slurm_version=slurm.version,
        software={row.name: row.version for row in installed},
        has_lustre=has_lustre,
        efs_package=dlami.efs_client,
        needs_efs=storage is not None and storage.efs is not None,
        needs_lustre=storage is not None and storage.lustre is not None,
        missing=tuple(missing),
        own_image=slurm.ami_id,
        instance_type=slurm.login.instance_type,
        zone_id=login.zone_ids[0],
    )
