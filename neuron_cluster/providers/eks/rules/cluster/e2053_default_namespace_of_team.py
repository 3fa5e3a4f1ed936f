from __future__ import annotations

from neuron_cluster.kubernetes.names import DEFAULT_NAMESPACE
from neuron_cluster.providers.eks.listed_namespaces import listed_namespaces
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class DefaultNamespaceOfTeam(Rule):
    """The namespace `default` belongs to no team (`teams[].namespaces`).

    `kubectl` and charts of all users use it where no namespace is given.

    Without this check AWS reports no error. Objects of other users are in the namespace of the team, and its
    NetworkPolicies and ResourceQuota apply to them.
    """

    id = "E2053"
    source = "https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/#initial-namespaces"

    def check(self, context: RuleContext) -> Violations:
        for each in listed_namespaces(context.environment.config):
            if each.team is not None and each.spec.name == DEFAULT_NAMESPACE:
                yield Violation(
                    (*each.path, "name"),
                    f"{DEFAULT_NAMESPACE} is the namespace of all users of the cluster, not of {each.team} alone",
                    f"use another name, such as {each.team}-jobs, or list it in eks.namespaces",
                )
