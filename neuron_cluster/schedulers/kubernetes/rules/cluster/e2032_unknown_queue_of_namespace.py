from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces
from neuron_cluster.schedulers.kubernetes.node_group import node_groups


class UnknownQueueOfNamespace(Rule):
    """The queue of a namespace is the queue of a node group (`eks.namespaces[].queue`).

    Without this check the namespace has no LocalQueue, and Kueue never admits its jobs: "LocalQueue doesn't exist".
    """

    id = "E2032"
    source = "https://kueue.sigs.k8s.io/docs/concepts/local_queue/"
    proposes = ("queue",)

    def check(self, context: RuleContext) -> Violations:
        groups = node_groups(context.environment)
        queues = list(dict.fromkeys(group.queue for group in groups if group.queue is not None))
        for each in listed_namespaces(context.environment.config):
            namespace = each.spec
            if namespace.queue is None or namespace.queue in queues:
                continue
            known = f"write {listed(queues, 'or')}, or remove queue" if queues else "remove queue"
            yield Violation(
                (*each.path, "queue"),
                f"no node group has the queue {namespace.queue}",
                did_you_mean_one_of(namespace.queue, queues) + known,
            )
