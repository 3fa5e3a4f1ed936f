from __future__ import annotations

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.image.missing import MISSING, missing_hint
from neuron_cluster.providers.pcs.image.stack_key import IMAGE_STACK
from neuron_cluster.providers.pcs.lock_part import built_image
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class SlurmImageMissing(Rule):
    """The file or the lock has the AMI of the Slurm nodes (`slurm.ami_id`).

    AWS publishes no AMI with Neuron, the PCS agent and Slurm. `neuron-cluster image build` builds one from the Deep
    Learning AMI that the lock pins, and writes its id into the lock. Only a warning: `plan` and `cost` need no AMI. No
    template is written without one (E9563).

    Without this check the nodes would start from a Deep Learning AMI without agent, never join the cluster, and PCS
    would end them after half an hour.
    """

    id = "W2140"
    needs = Needs.LOCK
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/working-with_ami_custom.html"
    written_by_stack = IMAGE_STACK

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        slurm = context.environment.config.section(Slurm)
        if slurm is None or slurm.ami_id is not None or built_image(lock) is not None:
            return
        is_parent_pinned = lock is not None and slurm.dlami in lock.dlamis
        yield Violation(("slurm", "ami_id"), MISSING, missing_hint(is_parent_pinned=is_parent_pinned))
