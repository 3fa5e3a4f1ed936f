"""Repair that sees no broken device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.orchestrators.eks.node_groups import node_groups
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class NodeRepairWithoutAgent(ConfigRule):
    """Node repair comes with the node monitoring agent, which tells it what is broken.

    Neuron groups have node repair unless they turn it off.

    Without this check AWS reports no error. EKS repairs nodes that stop answering, and leaves nodes with a broken
    Neuron device (AcceleratedHardwareReady) in service, where job after job fails.
    """

    id = "W5004"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/node-repair.html"
    proposes = ("node_repair",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        eks = environment.config.section(Eks)
        if eks is None or eks.addons.node_monitoring_agent is not False:
            return
        if groups := [group.name for group in node_groups(environment) if group.has_node_repair]:
            yield Violation(
                ("eks", "addons", "node_monitoring_agent"),
                f"node_monitoring_agent is false, so node repair of {listed(groups)} sees no broken Neuron device",
                f"remove the line, or set node_repair: false in {listed(groups)}",
            )
