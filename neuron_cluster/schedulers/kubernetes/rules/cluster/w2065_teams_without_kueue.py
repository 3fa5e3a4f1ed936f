from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class TeamsWithoutKueue(Rule):
    """Teams require Kueue (`teams`, `eks.addons.kueue`).

    Only a warning: you may install your own Kueue, with ClusterQueues for the teams.

    Without this check AWS reports no error. No ClusterQueue or LocalQueue is created; of a quota only the ResourceQuota
    of each namespace applies, which allows what the team may borrow too.
    """

    id = "W2065"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/"

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None or not context.environment.config.teams:
            return
        has_queue = any(group.queue is not None for group in node_groups(context.environment))
        if has_queue and "kueue" not in enabled_components(context.environment, context.catalog):
            where = "addons" if cluster.flag("kueue") is False else "installed_otherwise"
            yield Violation(
                ("teams",),
                "the toolkit does not install Kueue: no queue of a team is created and no quota of devices is reserved",
                f"remove kueue from {cluster.key(where)}, unless you create the ClusterQueues and LocalQueues of teams "
                "yourself",
            )
