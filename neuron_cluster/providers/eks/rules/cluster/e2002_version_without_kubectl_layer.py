from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class VersionWithoutKubectlLayer(Rule):
    """A kubectl Lambda layer exists for the Kubernetes version (`eks.version`).

    A Lambda function with a layer of kubectl and helm installs the charts. There is one layer package per minor
    version, and kubectl supports a version skew of one minor version to the API server.

    Without this check AWS reports no error. A layer of another version is installed, and fails later with unknown
    fields or missing API groups.
    """

    id = "E2002"
    source = "https://kubernetes.io/releases/version-skew-policy/"
    references = ("aws/aws-cdk#15736", "aws/aws-cdk#24580", "aws/aws-cdk#34053", "aws/aws-cdk#34759")

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        row = context.catalog.kubernetes_versions.get(eks.version) if eks is not None else None
        if row is None or row.kubectl_layer is not None:
            return
        usable = [version.name for version in context.catalog.kubernetes_versions if version.kubectl_layer is not None]
        yield Violation(
            ("eks", "version"),
            f"version is {row.name}, which has no kubectl layer in the toolkit; {listed(usable)} have one",
            f"write {listed(usable, 'or')}",
        )
