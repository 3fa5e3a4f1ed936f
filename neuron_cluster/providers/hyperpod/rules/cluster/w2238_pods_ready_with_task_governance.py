from __future__ import annotations

from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class PodsReadyWithTaskGovernance(Rule):
    """With task governance no time is set for pods to be ready (`eks.pods_ready_minutes`).

    Gang scheduling is off in its Kueue, whose configuration cannot be changed. Only a warning.

    Without this check AWS reports no error, and the number has no effect: a job whose pods are not all ready keeps its
    devices.
    """

    id = "W2238"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/"
        "sagemaker-hyperpod-eks-operate-console-ui-governance-setup-task-governance.html (Kueue settings)"
    )

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        hyperpod, cluster = config.section(HyperPod), kubernetes_in(config)
        if hyperpod is None or hyperpod.task_governance is None or cluster is None:
            return
        if "pods_ready_minutes" in cluster.section.model_fields_set:
            yield Violation(
                (*cluster.path, "pods_ready_minutes"),
                "pods_ready_minutes has no effect with task governance, whose Kueue waits for pods without limit",
                "remove pods_ready_minutes",
            )
