"""A recovery of nodes that cannot learn which node it is on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.chart_values import value_at
from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.software.components.registry import NEURON_CHART

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment

RECOVERY = "npd.nodeRecovery.enabled"


class RecoveryWithoutMetadata(ConfigRule):
    """The recovery of the Neuron node problem detector reads instance metadata, which pods do not reach.

    Nodes answer metadata requests over one hop, so that no pod gets the role of its node; the chart gives the recovery
    no network of the host.

    Only a warning: that it needs the metadata is inferred from the hop limit of 2 in Neuron's samples.

    Without this check AWS reports no error. The recovery finds the broken device and does not end the node.
    """

    id = "W5072"
    source = (
        "aws-neuron/aws-neuron-sdk: deploy/eks/prerequisites.rst, deploy/infrastructure/problem-detector.rst; "
        "aws-neuron/neuron-helm-charts: charts/neuron-helm-chart/templates/npd/npd-daemonset.yaml"
    )
    proposes = ("node_repair",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        eks = environment.config.section(Eks)
        if eks is None:
            return
        if value_at(eks.chart_values.get(NEURON_CHART, {}), RECOVERY) is True:
            yield Violation(
                ("eks", "chart_values", NEURON_CHART, *RECOVERY.split(".")),
                f"{RECOVERY} is true, and pods cannot read the instance metadata of their node (hop limit 1)",
                "remove the line: EKS node repair (node_repair, on by default) replaces nodes with broken devices",
            )
