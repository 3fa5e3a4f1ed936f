"""The AMI of the nodes of a PCS cluster, for `images`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.plan.node_image import NodeImage
from neuron_cluster.providers.pcs.lock_part import built_image

if TYPE_CHECKING:
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan

SLURM, AGENT = "Slurm", "PCS agent"


def node_image(slurm: SlurmPlan, lock: Lock | None) -> NodeImage:
    """Returns the image of all groups."""
    image, planned = slurm.login.image, slurm.image
    groups = tuple(group.name for group in slurm.compute_groups)
    built = built_image(lock)
    if built is not None and built.image_id == image.pinned:
        return NodeImage(
            path=(*slurm.path, "ami_id"),
            image_id=built.image_id,
            is_locked=True,
            parent_kind=image.family,
            parent=built.parent,
            software={SLURM: built.slurm_version, AGENT: built.agent_version},
            groups=groups,
        )
    return NodeImage(
        path=(*slurm.path, "ami_id"),
        image_id=image.pinned,
        is_locked=False,
        parent_kind=image.family,
        parent=planned.parent if planned is not None and image.pinned is None else None,
        software={SLURM: slurm.version},
        groups=groups,
    )
