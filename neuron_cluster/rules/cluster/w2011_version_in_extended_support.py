"""Kubernetes versions that EKS keeps alive for a surcharge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Problem

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class VersionInExtendedSupport(ConfigRule):
    """The Kubernetes version was in standard support when the catalog was checked.

    Only a warning: extended support is a service that you may want. The clock is not asked, so that the same file
    always gets the same answer.

    Without it: AWS answers nothing. It bills extended support on top of the price of the cluster, hour by hour, and
    upgrades the control plane by itself when that ends too.
    """

    id = "W2011"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        row = catalog.kubernetes_version(config.eks.version) if config.eks is not None else None
        if row is None or row.kubectl_layer is None or row.standard_support_ends > row.checked_on:  # rule E2002
            return
        newer = [
            version.name
            for version in catalog.kubernetes_versions
            if version.kubectl_layer is not None and version.standard_support_ends > version.checked_on
        ]
        yield Problem(
            ("eks", "version"),
            f"version is {row.name}, whose standard support ended on {row.standard_support_ends}; extended support is "
            "billed on top",
            f"go up one minor at a time, to {newer[-1]} at best" if newer else "look for a newer catalog",
        )
