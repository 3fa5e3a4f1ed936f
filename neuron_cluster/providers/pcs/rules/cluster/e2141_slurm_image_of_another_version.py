from __future__ import annotations

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.image.missing import build_hint
from neuron_cluster.providers.pcs.image.stack_key import IMAGE_STACK
from neuron_cluster.providers.pcs.lock_part import built_image
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class SlurmImageOfAnotherVersion(Rule):
    """The AMI of the lock has the Slurm version of the cluster (`slurm.version`).

    Without this check nodes do not register: the agent starts the slurmd of the cluster's version, which the AMI does
    not have, and PCS ends each node after half an hour.
    """

    id = "E2141"
    needs = Needs.LOCK
    source = 'https://docs.aws.amazon.com/pcs/latest/userguide/ ("Troubleshooting")'
    written_by_stack = IMAGE_STACK

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        slurm = context.environment.config.section(Slurm)
        image = built_image(lock)
        if slurm is None or slurm.ami_id is not None or lock is None or image is None:
            return
        if image.slurm_version == slurm.version:
            return
        yield Violation(
            ("slurm", "version"),
            f"version is {slurm.version}, but {image.image_id}, the AMI of the lock, has Slurm {image.slurm_version}",
            f"{build_hint(is_parent_pinned=slurm.dlami in lock.dlamis)}, which builds an AMI with {slurm.version}; "
            f'or write version: "{image.slurm_version}"',
        )
