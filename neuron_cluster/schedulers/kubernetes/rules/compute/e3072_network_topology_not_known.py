from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.node_group import KubernetesNodeGroup, node_groups


class NetworkTopologyNotKnown(Rule):
    """A group with `network_topology` has a queue, devices of a device plugin, and nodes with the network labels.

    Kueue then counts only nodes with these labels, and only devices that are in the allocatable resources of a node;
    those of the DRA driver are not.

    Without this check AWS reports no error. Kueue admits no job to the group.
    """

    id = "E3072"
    source = "https://kueue.sigs.k8s.io/docs/concepts/topology_aware_scheduling/; catalog: network_topologies"
    proposes = ("network_topology", "queue")

    def check(self, context: RuleContext) -> Violations:
        has_dra = "neuron_dra_driver" in enabled_components(context.environment, context.catalog)
        for group in node_groups(context.environment):
            if not group.network_topology:
                continue
            for reason in _reasons(group, context.catalog, has_dra=has_dra):
                remedy = f"set queue of {group.name}, or " if group.queue is None and not group.is_governed else ""
                yield Violation(
                    (*group.path, "network_topology"),
                    f"network_topology is true, but {reason}",
                    f"{remedy}remove network_topology",
                )


def _reasons(group: KubernetesNodeGroup, catalog: Catalog, *, has_dra: bool) -> Iterator[str]:
    if group.queue is None:
        yield f"{group.name} has no queue, and Kueue places jobs of queues only"
    elif catalog.network_topologies.of_instance_type(group.spec.instance_type) is None:
        yield f"no source lists network topology labels for nodes of {group.spec.instance_type}"
    elif has_dra:
        yield "the DRA driver allocates the devices, which Kueue does not find on the nodes"
