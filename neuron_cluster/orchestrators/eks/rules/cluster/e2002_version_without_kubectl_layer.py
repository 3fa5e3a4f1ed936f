"""Kubernetes versions that the toolkit has no kubectl for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class VersionWithoutKubectlLayer(ConfigRule):
    """The Kubernetes version is one for which a kubectl layer is installed.

    Charts are installed by a Lambda function whose layer brings kubectl and helm; there is a package for each minor
    version, and kubectl may be at most one minor away from the API server.

    Without this check AWS reports no error. A layer of another version installs, and fails later in odd ways: unknown
    fields, or API groups that one of the two sides no longer has.
    """

    id = "E2002"
    source = "https://kubernetes.io/releases/version-skew-policy/"
    references = ("aws/aws-cdk#15736", "aws/aws-cdk#24580", "aws/aws-cdk#34053", "aws/aws-cdk#34759")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        eks = environment.config.section(Eks)
        row = catalog.kubernetes_version(eks.version) if eks is not None else None
        if row is None or row.kubectl_layer is not None:
            return
        usable = [version.name for version in catalog.kubernetes_versions if version.kubectl_layer is not None]
        yield Violation(
            ("eks", "version"),
            f"version is {row.name}, for which this toolkit has no kubectl layer; it has one for {listed(usable)}",
            f"write {listed(usable, 'or')}",
        )
