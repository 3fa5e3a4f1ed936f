from __future__ import annotations

from local_kubernetes.model.names import DEFAULT_NAMESPACE
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class DefaultNamespaceOfTeam(Rule):
    """The namespace `default` belongs to no team (`teams[].namespaces`).

    `kubectl` and charts of all users use it where no namespace is given.

    Without this check AWS reports no error. Objects of other users are in the namespace of the team, and its
    NetworkPolicies and ResourceQuota apply to them.
    """

    id = "E2053"
    source = "https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/#initial-namespaces"

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        for each in listed_namespaces(context.environment.config):
            if cluster is not None and each.team is not None and each.spec.name == DEFAULT_NAMESPACE:
                yield Violation(
                    (*each.path, "name"),
                    f"{DEFAULT_NAMESPACE} is the namespace of all users of the cluster, not of {each.team} alone",
                    f"use another name, such as {each.team}-jobs, or list it in {cluster.key('namespaces')}",
                )
