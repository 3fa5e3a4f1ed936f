from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


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
        cluster = kubernetes_in(context.environment.config)
        if cluster is None:
            return
        open_to = {each.spec.queue for each in listed_namespaces(context.environment.config)}
        known: set[str] = set()
        for group in node_groups(context.environment):
            if group.queue is None or group.queue in known or open_to & {None, group.queue}:
                continue
            known.add(group.queue)
            yield Violation(
                (*group.path, "queue"),
                f"the queue {group.queue} is not available to any namespace: each of "
                f"{cluster.key('namespaces')} has another queue",
                f"set queue: {group.queue} of a namespace in {cluster.key('namespaces')}, remove queue of one, or "
                "remove this queue",
            )
