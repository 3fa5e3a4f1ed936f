from __future__ import annotations

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.image.missing import build_hint
from neuron_cluster.providers.pcs.image.stack_key import IMAGE_STACK
from neuron_cluster.providers.pcs.lock_part import built_image
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class SlurmImageOfAnotherDlami(Rule):
    """The AMI of the lock was built from the kind of Deep Learning AMI of the file (`slurm.dlami`).

    Root device, package manager and login user follow from the kind.

    Without this check the launch templates have the root device of another operating system, and the start of each node
    installs packages with a program that the AMI does not have: PCS terminates the nodes one after the other.
    """

    id = "E2143"
    needs = Needs.LOCK
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/device_naming.html"
    written_by_stack = IMAGE_STACK

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        slurm = context.environment.config.section(Slurm)
        image = built_image(lock)
        if slurm is None or slurm.ami_id is not None or lock is None or image is None or image.dlami == slurm.dlami:
            return
        yield Violation(
            ("slurm", "dlami"),
            f"dlami is {slurm.dlami}, but {image.image_id}, the AMI of the lock, was built from {image.dlami}",
            f"{build_hint(is_parent_pinned=slurm.dlami in lock.dlamis)}; or write dlami: {image.dlami}",
        )
