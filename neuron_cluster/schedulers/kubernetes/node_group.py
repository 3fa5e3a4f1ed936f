"""Node groups of a Kubernetes cluster in the file, whichever provider runs them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from neuron_cluster.resolved.compute_group import ClusterGroup

if TYPE_CHECKING:
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class NodeTaint(Protocol):
    """A taint as the file gives it."""

    @property
    def key(self) -> str: ...

    @property
    def effect(self) -> str: ...


class KubernetesNodeGroup(ClusterGroup, frozen=True):
    """A node group: what Kubernetes and Kueue read, in addition to its instances."""

    noun = "node group"
    machine_noun = "node"

    @property
    def taints(self) -> Sequence[NodeTaint]:
        """Taints in addition to that of Neuron nodes."""
        raise NotImplementedError

    @property
    def network_topology(self) -> bool:
        """Whether Kueue knows the place of each node in the network."""
        raise NotImplementedError

    @property
    def has_node_repair(self) -> bool:
        """Whether its provider replaces nodes with reported hardware errors."""
        raise NotImplementedError


def node_groups(environment: ResolvedEnvironment) -> tuple[KubernetesNodeGroup, ...]:
    """Returns the node groups of the file, in its order."""
    return environment.groups_of(KubernetesNodeGroup)
