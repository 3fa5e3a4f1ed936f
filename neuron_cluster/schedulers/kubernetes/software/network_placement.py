"""Kueue's topology-aware scheduling: pods of a job on nodes that are close to each other in the network.

Source: kubernetes-sigs/kueue@ff69552, site/content/en/docs/concepts/topology_aware_scheduling.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.network_topology import NetworkTopology
from neuron_cluster.plan.node_group_plan import NodeGroupPlan

HOST_NAME = "kubernetes.io/hostname"
"""The narrowest level, with which Kueue binds each pod to a node and finds another one for a node that fails."""


def topology_of(group: NodeGroupPlan, catalog: Catalog) -> NetworkTopology | None:
    """Returns the topology of a group that has one: Kueue counts only nodes that have every label of its levels."""
    return (
        catalog.network_topologies.of_instance_type(group.machine.instance_type) if group.has_network_topology else None
    )


def topology_object(api_version: str, topology: NetworkTopology) -> Mapping[str, Any]:
    levels = [{"nodeLabel": label} for label in (*topology.labels, HOST_NAME)]
    return {
        "apiVersion": api_version,
        "kind": "Topology",
        "metadata": {"name": topology.name},
        "spec": {"levels": levels},
    }
