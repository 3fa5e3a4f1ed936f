from __future__ import annotations

from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class KueueWithTaskGovernance(Rule):
    """With task governance there is no other Kueue and no queue of the toolkit (`hyperpod.task_governance`).

    The add-on brings Kueue, with a LocalQueue for the compute quota of each team.

    Without this check the add-on fails: objects of an existing Kueue conflict with its own.
    """

    id = "E2231"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/"
        "sagemaker-hyperpod-eks-operate-console-ui-governance-setup-task-governance.html"
    )

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        hyperpod, cluster = config.section(HyperPod), kubernetes_in(config)
        if hyperpod is None or hyperpod.task_governance is None or cluster is None:
            return
        if cluster.flag("kueue"):
            yield Violation(
                (*cluster.path, "addons", "kueue"),
                "kueue is true, and task governance brings its own Kueue",
                "remove kueue, or hyperpod.task_governance",
            )
        for position, component in enumerate(cluster.section.installed_otherwise):
            if component == "kueue":
                yield Violation(
                    (*cluster.path, "installed_otherwise", position),
                    "you install Kueue, and task governance brings its own",
                    "uninstall your Kueue and remove this item, or remove hyperpod.task_governance",
                )
        for group in node_groups(context.environment):
            if group.queue is not None:
                yield Violation(
                    (*group.path, "queue"),
                    f"{group.name} has the queue {group.queue}, and with task governance each team has a queue of its "
                    "own, by its compute quota",
                    "remove queue, and give teams a quota of HyperPod groups; or remove hyperpod.task_governance",
                )
