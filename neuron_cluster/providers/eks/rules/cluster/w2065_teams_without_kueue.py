from __future__ import annotations

from neuron_cluster.providers.eks.components import enabled_components
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class TeamsWithoutKueue(Rule):
    """Teams require Kueue (`teams`, `eks.addons.kueue`).

    Only a warning: you may install your own Kueue, with ClusterQueues for the teams.

    Without this check AWS reports no error. No ClusterQueue or LocalQueue is created; of a quota only the ResourceQuota
    of each namespace applies, which allows what the team may borrow too.
    """

    id = "W2065"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/"

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        if eks is None or not context.environment.config.teams:
            return
        has_queue = any(group.queue is not None for group in eks.node_groups)
        if has_queue and "kueue" not in enabled_components(context.environment, context.catalog):
            where = "addons" if eks.addons.kueue is False else "installed_otherwise"
            yield Violation(
                ("teams",),
                "the toolkit does not install Kueue: no queue of a team is created and no quota of devices is reserved",
                f"remove kueue from eks.{where}, unless you create the ClusterQueues and LocalQueues of teams yourself",
            )
