"""Two that repair the same nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.chart_values import value_at
from neuron_cluster.findings.text import listed
from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.orchestrators.eks.node_groups import node_groups
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.software.components.registry import NEURON_CHART

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment

RECOVERY = "npd.nodeRecovery.enabled"


class TwoRepairOwners(ConfigRule):
    """Neuron nodes are repaired by EKS or by the recovery of the Neuron node problem detector, never by both.

    Node repair of EKS is on for Neuron groups unless they turn it off; the recovery is off unless chart_values turn it
    on, and its pods then get their role.

    Without this check AWS reports no error. Both see the same broken device: EKS drains and replaces the node by its
    rules and waiting times while the recovery has the Auto Scaling group end it at once, jobs and all, and limits on
    how many nodes are repaired together hold for one of them only.
    """

    id = "E5038"
    source = (
        "https://docs.aws.amazon.com/eks/latest/userguide/node-repair.html; "
        "aws-neuron/aws-neuron-sdk: deploy/infrastructure/problem-detector.rst"
    )
    proposes = ("node_repair",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        eks = environment.config.section(Eks)
        if eks is None:
            return
        if value_at(eks.chart_values.get(NEURON_CHART, {}), RECOVERY) is not True:
            return
        neuron = (group for group in node_groups(environment) if group.is_neuron)
        repaired = [group.name for group in neuron if group.has_node_repair]
        if repaired:
            yield Violation(
                ("eks", "chart_values", NEURON_CHART, *RECOVERY.split(".")),
                f"{RECOVERY} is true, and EKS node repair looks after {listed(repaired)} as well",
                f"remove the line, or set node_repair: false in {listed(repaired)}",
            )
