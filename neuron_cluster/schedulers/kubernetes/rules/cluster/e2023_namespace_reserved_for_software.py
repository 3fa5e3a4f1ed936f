from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces
from neuron_cluster.schedulers.kubernetes.reserved_namespaces import OF_KUBERNETES, owner_of_namespace


class NamespaceReservedForSoftware(Rule):
    """A workload namespace is not a namespace of Kubernetes or of the cluster software (`eks.namespaces`).

    Without this check two resources of the stack apply the same namespace with different Pod Security levels, and
    Kubernetes rejects the software in it, such as drivers that access the host; and Kueue does not manage its jobs.
    """

    id = "E2023"
    source = "https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/"

    def check(self, context: RuleContext) -> Violations:
        for each in listed_namespaces(context.environment.config):
            namespace = each.spec
            owner = owner_of_namespace(namespace.name, context.catalog)
            if owner is not None:
                yield Violation(
                    (*each.path, "name"),
                    f"{namespace.name} is the namespace of {owner}",
                    f"use another name, such as {namespace.name.removeprefix(OF_KUBERNETES)}-jobs",
                )
