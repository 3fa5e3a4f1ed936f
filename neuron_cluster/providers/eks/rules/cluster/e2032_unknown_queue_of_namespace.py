"""Namespaces with an unknown queue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.listed_namespaces import listed_namespaces
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class UnknownQueueOfNamespace(ConfigRule):
    """The queue of a namespace is the queue of a node group (`eks.namespaces[].queue`).

    Without this check the namespace has no LocalQueue, and Kueue never admits its jobs: "LocalQueue doesn't exist".
    """

    id = "E2032"
    source = "https://kueue.sigs.k8s.io/docs/concepts/local_queue/"
    proposes = ("queue",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        eks = environment.config.section(Eks)
        if eks is None:
            return
        queues = list(dict.fromkeys(group.queue for group in eks.node_groups if group.queue is not None))
        for each in listed_namespaces(environment.config):
            namespace = each.spec
            if namespace.queue is None or namespace.queue in queues:
                continue
            known = f"write {listed(queues, 'or')}, or remove queue" if queues else "remove queue"
            yield Violation(
                (*each.path, "queue"),
                f"no node group has the queue {namespace.queue}",
                did_you_mean_one_of(namespace.queue, queues) + known,
            )
