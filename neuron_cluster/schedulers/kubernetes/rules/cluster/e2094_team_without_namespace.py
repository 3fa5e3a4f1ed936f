from __future__ import annotations

from local_kubernetes.model.hyperpod import team_namespace
from local_kubernetes.model.names import DEFAULT_NAMESPACE
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.reserved_namespaces import owner_of_namespace
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class TeamWithoutNamespace(Rule):
    """A team of an EKS cluster has a namespace for its workloads (`teams[].namespaces`).

    A team of an environment without an EKS cluster needs none.

    Without this check AWS reports no error. The members of the team have no place in which they may create a job, and
    no LocalQueue admits one.
    """

    id = "E2094"
    source = "https://kueue.sigs.k8s.io/docs/concepts/local_queue/"
    proposes = ("namespaces",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        cluster = kubernetes_in(config)
        if cluster is None:
            return
        has_governance = any(group.is_governed for group in node_groups(context.environment))
        used = {DEFAULT_NAMESPACE, *(each.spec.name for each in listed_namespaces(config))}
        for number, team in enumerate(config.teams):
            if not team.namespaces:
                is_free = team.name not in used and owner_of_namespace(team.name, context.catalog) is None
                name = team.name if is_free else f"{team.name}-jobs"
                if has_governance:  # rule E2233
                    name = team_namespace(team.name)
                yield Violation(
                    ("teams", number, "namespaces"),
                    f"{team.name} has no namespaces, in which its members run workloads on the EKS cluster",
                    f"add namespaces, with the keys of {cluster.key('namespaces')}; for example [{{name: {name}}}]",
                )
