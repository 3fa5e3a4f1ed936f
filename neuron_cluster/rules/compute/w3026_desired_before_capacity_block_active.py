from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class DesiredBeforeCapacityBlockActive(Rule):
    """A node group in a capacity block has desired 0 until the block is active (`count.desired`).

    Checked where `starts` of the capacity block is not set; otherwise rule W3042 compares it with the date. PCS
    waits for the block by itself.

    Only a warning: while the block is active, a desired count above 0 is correct. Set it back to 0 more than 30
    minutes before the end, when EC2 begins to terminate the instances, and before every update of the group, as EKS
    requires.

    Without this check EC2 rejects every launch until the block starts. According to the EKS guide the Auto Scaling
    group retries until then; whether the node group fails first, and the nodes stack rolls back, is not documented.
    """

    id = "W3026"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    proposes = ("capacity", "desired", "starts")

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            block, desired = group.block, group.scaling.desired
            if block is not None and block.starts is None and desired > 0 and not group.waits_for_block:
                yield Violation(
                    (*group.path, "count", "desired"),
                    f"desired is {desired}, but {group.machine_noun}s of {group.name} can only start while its "
                    "capacity block is active",
                    f"set desired: 0 unless `aws ec2 describe-capacity-reservations --capacity-reservation-ids "
                    f"{block.reservation_id}` returns active, or set starts of the capacity block",
                )
