"""neuron-monitor in a cluster without Neuron nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class NeuronMonitorWithoutNeuronNodes(ConfigRule):
    """neuron-monitor requires a node group with Neuron devices (`eks.addons.neuron_monitor`).

    Its chart lists the instance types of those groups, and does not allow an empty list.

    Without this check helm reports that values do not meet the schema, "instanceTypes: minItems: got 0, want 1", and
    the software stack rolls back.
    """

    id = "E5064"
    source = "the design of this toolkit: charts/neuron-monitor/values.schema.json"
    proposes = ("neuron_monitor",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        eks = environment.config.section(Eks)
        if eks is None or not eks.addons.neuron_monitor:
            return
        if not any(group.is_neuron for group in node_groups(environment)):
            yield Violation(
                ("eks", "addons", "neuron_monitor"),
                "neuron_monitor is true, but no node group has Neuron devices",
                "remove neuron_monitor, or add a Neuron node group",
            )
