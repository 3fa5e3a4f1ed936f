from __future__ import annotations

from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class PriorityClassTwice(Rule):
    """Priority classes have different names (`hyperpod.task_governance.priority_classes`).

    Without this check two weights have one WorkloadPriorityClass, and which one jobs get is not stated.
    """

    id = "E2236"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/"
        "sagemaker-hyperpod-eks-operate-console-ui-governance-policies.html"
    )

    def check(self, context: RuleContext) -> Violations:
        hyperpod = context.environment.config.section(HyperPod)
        if hyperpod is None or hyperpod.task_governance is None:
            return
        first: dict[str, int] = {}
        for position, each in enumerate(hyperpod.task_governance.priority_classes):
            path = ("hyperpod", "task_governance", "priority_classes")
            if each.name in first:
                yield Violation(
                    (*path, position, "name"),
                    f"two priority classes have the name {each.name}",
                    "remove one of the two, or rename it",
                    related=((*path, first[each.name], "name"),),
                )
            first.setdefault(each.name, position)
