"""A Kubernetes node group, completely decided: labels and taints, repair, and the addresses of its pods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

from local_kubernetes.model.names import NEURON
from local_kubernetes.model.node_recovery import EC2_AUTO_SCALING, NodeRecovery
from local_kubernetes.model.placement import TaintEffect
from neuron_cluster.catalog.node_allocatable import PlanFact
from neuron_cluster.plan.address_plan import NodeAddresses
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.node_repair_plan import NodeRepairPlan

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

KUBERNETES_EFFECTS: Mapping[str, TaintEffect] = {
    "NO_SCHEDULE": "NoSchedule",
    "NO_EXECUTE": "NoExecute",
    "PREFER_NO_SCHEDULE": "PreferNoSchedule",
}
"""Taint effects as CloudFormation spells them to those of Kubernetes."""


class TaintPlan(Struct, frozen=True):
    is_removed_at_start: ClassVar[bool] = False
    """Whether a driver of the cluster removes it from each new node (rule E3086)."""

    key: str
    value: str
    effect: str
    """As CloudFormation spells it: ``NO_SCHEDULE``."""

    @property
    def kubernetes_effect(self) -> TaintEffect:
        """As Kubernetes spells it: ``NoSchedule``."""
        return KUBERNETES_EFFECTS[self.effect]


class StartupTaintPlan(TaintPlan, frozen=True):
    """A taint that keeps pods from a new node until a driver has started there."""

    is_removed_at_start = True


NEURON_TAINT = TaintPlan(NEURON, "true", "NO_SCHEDULE")
"""Keeps everything off the expensive nodes that does not ask for Neuron; the Neuron charts tolerate the key."""


def planned_taint(key: str, value: str, effect: str, catalog: Catalog) -> TaintPlan:
    """A taint of the file, whose effect is ``no_schedule``, ``no_execute`` or ``prefer_no_schedule``."""
    kind = StartupTaintPlan if key in catalog.startup_taints else TaintPlan
    return kind(key, value, effect.upper())


class NodeGroupPlan(ComputeGroupPlan, frozen=True, kw_only=True):
    """Nodes of a Kubernetes cluster that are alike."""

    noun = "node group"

    labels: Mapping[str, str]
    taints: tuple[TaintPlan, ...]
    node_repair: NodeRepairPlan | None
    """None: unhealthy nodes are not replaced."""
    has_network_topology: bool = False
    """Kueue places jobs by the labels of its nodes' place in the network."""
    is_governed: bool = False
    """Task governance of HyperPod admits jobs to its nodes, by the compute quota of their team."""
    lends_rest: bool = True
    """Teams may borrow its devices that are in no quota."""
    pulls_in_parallel: bool = False
    """Its nodes pull and unpack the layers of an image at once (nodeadm's FastImagePull)."""
    in_secondary_subnets: bool = False
    """Its nodes are in subnets of the tier ``SECONDARY``."""
    pods_per_node: int | None = None
    """As in the file; none where addresses are planned for the maximum pods of a node."""
    node_addresses: NodeAddresses | None = None
    """None where the catalog does not have the number of addresses of such a node."""

    @property
    def repaired_by(self) -> str | None:
        """The service that replaces its nodes by rules of its own; None where ``node_repair`` decides it."""
        recovery = self.recovery
        return recovery.service if recovery is not None and recovery.replaces_failed_devices else None

    @property
    def recovery(self) -> NodeRecovery | None:
        """The service that replaces an instance that stops; None where no service does."""
        return EC2_AUTO_SCALING

    @property
    def resumes_jobs(self) -> bool:
        """Whether its service starts PyTorchJobs again after it has replaced or rebooted a node."""
        return False

    @property
    def flavor_name(self) -> str:
        """Name of its ResourceFlavor of Kueue; another one with a topology, which is immutable in a flavor."""
        return f"{self.name}-network" if self.has_network_topology else self.name

    @property
    def lasting_taints(self) -> tuple[TaintPlan, ...]:
        """Taints of Ready nodes. Pods do not tolerate the others, which keep them away until a driver has started."""
        return tuple(taint for taint in self.taints if not taint.is_removed_at_start)

    @property
    def interfaces(self) -> int:
        """With those that the VPC CNI adds."""
        counted = self.node_addresses
        return counted.interfaces if counted is not None else super().interfaces

    @property
    def addresses_and_prefixes(self) -> int:
        counted = self.node_addresses
        return counted.single + counted.prefixes if counted is not None else super().addresses_and_prefixes

    @property
    def has_known_addresses(self) -> bool:
        return self.node_addresses is not None

    @property
    def label_facts(self) -> Mapping[PlanFact, str]:
        """Values of the labels that the service gives its nodes, in addition to those of the instance."""
        return {}
