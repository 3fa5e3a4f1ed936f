from __future__ import annotations

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.listed_namespaces import listed_namespaces
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class QueueWithoutNamespace(Rule):
    """Every queue of a node group is available to a namespace (`eks.namespaces[].queue`).

    A namespace with its own queue has no LocalQueue for another one.

    Without this check Kubernetes rejects the ClusterQueue, whose namespace selector is empty, and the software stack
    rolls back.
    """

    id = "E2033"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#namespace-selector"
    proposes = ("eks", "namespaces", "queue")

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        if eks is None:
            return
        open_to = {each.spec.queue for each in listed_namespaces(context.environment.config)}
        known: set[str] = set()
        for position, group in enumerate(eks.node_groups):
            if group.queue is None or group.queue in known or open_to & {None, group.queue}:
                continue
            known.add(group.queue)
            yield Violation(
                ("eks", "node_groups", position, "queue"),
                f"the queue {group.queue} is not available to any namespace: each of eks.namespaces has another queue",
                f"set queue: {group.queue} of a namespace in eks.namespaces, remove queue of one, or remove this queue",
            )
