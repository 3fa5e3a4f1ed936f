"""AWS managed policies of the roles of EKS nodes and of EKS Auto Mode."""

from __future__ import annotations

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow


class EksRole(SourcedRow, frozen=True, kw_only=True):
    """One role."""

    managed_policies: FrozenMap[str, str]
    """The reason for each policy, by its name."""
    built_in_node_pools: tuple[str, ...] = ()
    """Built-in node pools of Auto Mode; each includes the default node class, which custom pools can use."""
