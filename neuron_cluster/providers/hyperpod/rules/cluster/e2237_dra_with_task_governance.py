from __future__ import annotations

from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class DraWithTaskGovernance(Rule):
    """With task governance the device plugin allocates Neuron devices (`eks.addons.neuron_dra_driver`).

    The configuration of its Kueue maps no device class to a resource of a quota, and cannot be changed.

    Without this check AWS reports no error. Kueue admits no job whose pods claim devices.
    """

    id = "E2237"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/"
        "sagemaker-hyperpod-eks-operate-console-ui-governance-setup-task-governance.html (Kueue settings); "
        "https://kueue.sigs.k8s.io/docs/tasks/manage/setup_dra/"
    )

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        hyperpod, cluster = config.section(HyperPod), kubernetes_in(config)
        if hyperpod is None or hyperpod.task_governance is None or cluster is None:
            return
        if cluster.flag("neuron_dra_driver"):
            yield Violation(
                (*cluster.path, "addons", "neuron_dra_driver"),
                "neuron_dra_driver is true, and Kueue of task governance admits no job that claims devices",
                "remove neuron_dra_driver, or hyperpod.task_governance",
            )
