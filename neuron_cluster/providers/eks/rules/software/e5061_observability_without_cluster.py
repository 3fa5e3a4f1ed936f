"""Observability without an EKS cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class ObservabilityWithoutCluster(ConfigRule):
    """Observability requires an EKS cluster (`observability`).

    Without this check AWS reports no error. The metrics come from software of the cluster; dashboards and alarms would
    refer to a cluster that does not exist.
    """

    id = "E5061"
    source = (
        "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Container-Insights-metrics-enhanced-EKS.html"
    )
    proposes = ("eks", "observability")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        eks = config.section(Eks)
        if config.observability is not None and eks is None:
            yield Violation(
                ("observability",),
                "observability is set, but this environment has no EKS cluster with metrics",
                "add eks, or remove observability",
            )
