from __future__ import annotations

from neuron_cluster.config.capacity import Spot
from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.providers.hyperpod.groups import hyperpod_instances
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class NeedsContinuous(Rule):
    """A cluster with Spot capacity, or with a minimum of nodes, has continuous provisioning (`continuous`).

    Without this check SageMaker rejects the cluster with a ValidationException, and the stack rolls back.
    """

    id = "E2207"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-scaling-eks.html; "
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-spot.html"
    )
    proposes = ("capacity", "continuous", "min")

    def check(self, context: RuleContext) -> Violations:
        hyperpod = context.environment.config.section(HyperPod)
        if hyperpod is None or hyperpod.continuous:
            return
        for group in hyperpod_instances(context.environment):
            if group.spec.count.min > 0:
                yield Violation(
                    (*group.path, "count", "min"),
                    f"min is {group.spec.count.min}, which HyperPod accepts with continuous provisioning only; "
                    "hyperpod.continuous is false",
                    "set hyperpod.continuous: true, or remove min",
                )
            if isinstance(group.spec.capacity, Spot):
                yield Violation(
                    (*group.path, "capacity", "kind"),
                    f"{group.name} runs in Spot capacity, which HyperPod has with continuous provisioning only; "
                    "hyperpod.continuous is false",
                    "set hyperpod.continuous: true, or kind: on_demand",
                )
