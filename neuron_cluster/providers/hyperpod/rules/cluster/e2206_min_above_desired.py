from __future__ import annotations

from neuron_cluster.providers.hyperpod.groups import hyperpod_instances
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class MinAboveDesired(Rule):
    """A group keeps no more nodes than it has (`count.min`).

    Without this check SageMaker rejects the cluster with a ValidationException, MinInstanceCount above InstanceCount,
    and the stack rolls back.
    """

    id = "E2206"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-scaling-eks.html"
    proposes = ("min",)

    def check(self, context: RuleContext) -> Violations:
        for group in hyperpod_instances(context.environment):
            minimum, desired = group.spec.count.min, group.spec.count.desired
            if minimum > desired:
                yield Violation(
                    (*group.path, "count", "min"),
                    f"min is {minimum}, more than desired ({desired})",
                    f"lower min to {desired}, or raise desired to {minimum}",
                )
