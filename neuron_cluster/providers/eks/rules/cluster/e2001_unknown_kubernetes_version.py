from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import node_groups


class UnknownKubernetesVersion(Rule):
    """EKS offers the Kubernetes version (`eks.version`).

    Without this check EKS rejects the cluster with InvalidParameterException, "unsupported Kubernetes version".
    """

    id = "E2001"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html"

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        if eks is None or context.catalog.kubernetes_versions.get(eks.version) is not None:
            return
        versions = context.catalog.kubernetes_versions.rows
        groups = node_groups(context.environment)
        usable = [
            row.name
            for row in versions
            if row.kubectl_layer is not None
            and all(group.has_nodes_of(row.name, context.catalog) for group in groups)  # rule E2203
        ]
        yield Violation(
            ("eks", "version"),
            f"version is {eks.version}, which is not in the catalog; its versions are "
            f"{listed(row.name for row in versions)}",
            f"write a version for which the toolkit can install charts: {listed(usable, 'or')}",
        )
