"""The AMI of a PCS cluster, compared with those that EC2 has, before a deploy."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.images import images_by_id
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.aws_access import AwsAccess
from neuron_cluster.protocol.pinned_by import AMAZON, PinnedBy, unknown_image
from neuron_cluster.providers.pcs.lock_part import PART, built_image
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan


def pinned_ami_findings(
    plan: ClusterPlan, slurm: SlurmPlan, access: AwsAccess, pinned_by: PinnedBy
) -> Iterator[Finding]:
    """E9542, E9543 and W9545. Raises ``ToolkitError`` when AWS does not answer."""
    image_id = slurm.login.image.pinned
    if image_id is None:
        return
    image = images_by_id(access.target, [image_id]).get(image_id)
    locked = built_image(pinned_by.lock)
    is_locked = locked is not None and locked.image_id == image_id
    place = pinned_by.place((*slurm.path, "ami_id"), *((PART.key, "image_id") if is_locked else ()))
    if image is None:
        yield unknown_image(
            f"{image_id} of the Slurm nodes",
            place,
            access,
            "build it again (docs/slurm.md)" if is_locked else "correct ami_id, or build the AMI (docs/slurm.md)",
        )
    elif image.owner_alias != AMAZON and image.owner != plan.account:
        yield Finding(
            "E9542",
            place,
            f"{image_id} of the Slurm nodes belongs to account {image.owner}, neither to Amazon nor to {plan.account}",
            f"copy it into {plan.account} (`aws ec2 copy-image`) and write the id of the copy as ami_id",
        )
