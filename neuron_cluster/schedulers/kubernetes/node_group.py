"""Node groups of a Kubernetes cluster in the file, whichever provider runs them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol

from neuron_cluster.resolved.compute_group import ClusterGroup

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class NodeTaint(Protocol):
    """A taint as the file gives it."""

    @property
    def key(self) -> str: ...

    @property
    def value(self) -> str: ...

    @property
    def effect(self) -> str: ...


class KubernetesNodeGroup(ClusterGroup, frozen=True):
    """A node group: what Kubernetes and Kueue read, in addition to its instances."""

    noun = "node group"
    machine_noun = "node"
    service: ClassVar[str] = "Kubernetes"
    """The service that makes its nodes, as messages name it."""
    label_key_limit: ClassVar[str | None] = None
    """Limit of that service for a whole key, prefix included, where it has a stricter one than Kubernetes."""
    label_value_limit: ClassVar[str | None] = None
    """Limit of that service for the value of a label, where it has a stricter one than Kubernetes."""
    taints_limit: ClassVar[str | None] = None
    """Limit of that service for the number of taints."""
    repair_display_name: ClassVar[str] = "node repair"
    """The service that replaces its nodes."""
    has_auto_scaling_group: ClassVar[bool] = True
    """Whether its nodes are instances of an Auto Scaling group of the account."""

    @classmethod
    def has_nodes_of(cls, version: str, catalog: Catalog) -> bool:
        """Whether its service makes nodes of a Kubernetes version of the catalog."""
        del version, catalog
        return True

    @property
    def labels(self) -> Mapping[str, str]:
        """Labels in addition to those of the toolkit."""
        raise NotImplementedError

    @property
    def taints(self) -> Sequence[NodeTaint]:
        """Taints in addition to that of Neuron nodes."""
        raise NotImplementedError

    @property
    def has_neuron_taint(self) -> bool:
        """Whether the toolkit adds the taint of Neuron nodes."""
        return self.is_neuron

    def reserved_label_domains(self, catalog: Catalog) -> Iterable[str]:  # noqa: ARG002 - services with domains use it
        """Domains whose labels its service rejects, each with everything below it."""
        return ()

    @property
    def network_topology(self) -> bool:
        """Whether Kueue knows the place of each node in the network."""
        raise NotImplementedError

    @property
    def is_governed(self) -> bool:
        """Whether task governance of HyperPod admits jobs to its nodes, by the compute quota of their team."""
        return False

    @property
    def has_node_repair(self) -> bool:
        """Whether its provider replaces nodes with reported hardware errors."""
        raise NotImplementedError

    @property
    def resumes_jobs(self) -> bool:
        """Whether its provider starts PyTorchJobs again after it has replaced or rebooted a node."""
        return False

    def repair_off(self, groups: str) -> str:
        """The edit that ends it in these groups of its provider, to be read after ``set``."""
        return f"node_repair: false in {groups}"

    @property
    def needs_monitoring_agent(self) -> bool:
        """Whether that depends on the node monitoring agent of the control plane."""
        return self.has_node_repair


def node_groups(environment: ResolvedEnvironment) -> tuple[KubernetesNodeGroup, ...]:
    """Returns the node groups of the file, in its order."""
    return environment.groups_of(KubernetesNodeGroup)
