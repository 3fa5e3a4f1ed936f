from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class QueueWithoutKueue(Rule):
    """Node groups with a queue require Kueue (`eks.addons.kueue`).

    Only a warning: you may install your own Kueue.

    Without this check AWS reports no error. The queue is only a node label; Kueue does not suspend jobs, and half of
    the pods of each of two jobs wait for nodes that the other one uses.
    """

    id = "W5050"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/"

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None or cluster.flag("kueue") is not False:
            return
        queues = dict.fromkeys(g.queue for g in node_groups(context.environment) if g.queue is not None)
        if queues:
            yield Violation(
                (*cluster.path, "addons", "kueue"),
                f"kueue is false, so the {'queue' if len(queues) == 1 else 'queues'} {listed(queues)} would not be "
                "created",
                "remove kueue, unless you install Kueue yourself",
            )
