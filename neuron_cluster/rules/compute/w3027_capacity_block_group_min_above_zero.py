from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class CapacityBlockGroupMinAboveZero(Rule):
    """A node group in a capacity block can scale to zero (`count.min`).

    A capacity block ends at a fixed time, and EC2 terminates its instances. Groups of PCS remain, and their jobs wait.

    Without this check AWS reports no error at first. After the end of the block, the Auto Scaling group keeps
    requesting instances of an expired reservation, and jobs are scheduled on nodes that EC2 is about to terminate.
    """

    id = "W3027"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    proposes = ("desired", "ends", "min")
    references = ("aws/karpenter-provider-aws#8362",)

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            minimum = group.scaling.minimum
            if group.block is not None and not group.waits_for_block and minimum > 0:
                yield Violation(
                    (*group.path, "count", "min"),
                    f"min is {minimum}, but EC2 terminates the instances of {group.name} when its capacity block ends",
                    "set min: 0, and desired: 0 before the block ends",
                )
