"""Dashboards and alarms of no cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class ObservabilityWithoutCluster(ConfigRule):
    """`observability` watches an EKS cluster, so there is one.

    Without this check AWS reports no error. The metrics come from software of the cluster; dashboards and alarms would
    name one that is not there.
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
                "observability is given, but this environment has no EKS cluster whose metrics it could watch",
                "add eks, or remove observability",
            )
