from __future__ import annotations

from neuron_cluster.rules.base import LOCK_IT, Needs, Rule, RuleContext, Violation, Violations


class DlamiNotPinned(Rule):
    """The AMI of every workstation is pinned by the lock or by `ami_id`.

    Without this check an update that replaces the instance, for example for a larger root volume, launches the newest
    AMI of that day: with another Neuron SDK release, and perhaps without its virtual environment.
    """

    id = "W7010"
    needs = Needs.LOCK
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"
    proposes = ("ami_id",)
    references = ("aws-neuron/aws-neuron-sdk#655", "huggingface/optimum-neuron#572")

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        config = context.environment.config
        locked = lock.dlamis if lock is not None else {}
        for workstation in context.environment.workstations:
            dlami = workstation.dlami
            if dlami is None or workstation.spec.ami_id or dlami.name in locked:
                continue
            if config.region in dlami.regions_without_parameter:  # rule E7009 asks for ami_id
                continue
            yield Violation(
                (*workstation.path, "ami_id"),
                f"neither the lock nor ami_id pins the AMI of {workstation.name}: an update may replace the instance "
                f"by one with the newest {dlami.name} AMI of that day",
                f"run `{LOCK_IT}`, which pins the AMIs of all workstations; or set ami_id of this workstation",
            )
