from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class QueueWithoutKueue(Rule):
    """Node groups with a queue require Kueue (`eks.addons.kueue`).

    Only a warning: you may install your own Kueue.

    Without this check AWS reports no error. The queue is only a node label; Kueue does not suspend jobs, and half of
    the pods of each of two jobs wait for nodes that the other one uses.
    """

    id = "W5050"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/"

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        if eks is None or eks.addons.kueue is not False:
            return
        queues = dict.fromkeys(g.queue for g in node_groups(context.environment) if g.queue is not None)
        if queues:
            yield Violation(
                ("eks", "addons", "kueue"),
                f"kueue is false, so the {'queue' if len(queues) == 1 else 'queues'} {listed(queues)} would not be "
                "created",
                "remove kueue, unless you install Kueue yourself",
            )
