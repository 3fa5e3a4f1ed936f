from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class KubernetesVersionOfHyperpod(Rule):
    """HyperPod has nodes of the Kubernetes version (`eks.version`).

    A newer version is rejected until a guide lists it, although add-ons of HyperPod are offered for it: an EKS cluster
    cannot go back to an older one.

    Without this check SageMaker rejects the cluster, or its nodes never join the EKS cluster, an hour after the first
    stack.
    """

    id = "E2203"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-prerequisites.html"

    def check(self, context: RuleContext) -> Violations:
        config, catalog = context.environment.config, context.catalog
        cluster = kubernetes_in(config)
        if cluster is None or config.section(HyperPod) is None:
            return
        version = cluster.section.version
        usable = [row.name for row in catalog.hyperpod_kubernetes if row.doubt_about("name") is None]
        if version in usable or catalog.kubernetes_versions.get(version) is None:  # rule E2001
            return
        known = catalog.hyperpod_kubernetes.get(version)
        doubt = known.doubt_about("name") if known is not None else None
        why = f": {doubt}" if doubt else ""
        newest = next(name for name in reversed(usable) if catalog.kubernetes_versions.get(name) is not None)
        yield Violation(
            (*cluster.path, "version"),
            f"version is {version}, and HyperPod has nodes of {listed(usable)}"
            + (f"; no source confirms nodes of {version}{why}" if doubt else ""),
            f"set version: {newest}; or remove hyperpod if the EKS cluster exists, which cannot go back to {newest}",
        )
