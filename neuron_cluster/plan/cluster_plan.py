"""What will be built: frozen, complete, nothing left to decide. The only thing that crosses into CDK."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.kubernetes.placement import TaintEffect
from neuron_cluster.plan.addon_plan import AddonPlan, ChartPlan, DeviceManagementPlan, ManifestPlan, PatchPlan
from neuron_cluster.plan.address_plan import AddressPlan, NodeAddresses
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.image_cache_plan import ImageCachePlan
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.plan.network_plan import NetworkPlan
from neuron_cluster.plan.node_repair_plan import NodeRepairPlan
from neuron_cluster.plan.node_stacks import divided
from neuron_cluster.plan.observability_plan import ObservabilityPlan
from neuron_cluster.plan.stack_table import planned_stacks
from neuron_cluster.plan.storage_plan import StoragePlan
from neuron_cluster.plan.team import Team, teams_of
from neuron_cluster.plan.workstation_plan import WorkstationPlan

KUBERNETES_EFFECTS: Mapping[str, TaintEffect] = {
    "NO_SCHEDULE": "NoSchedule",
    "NO_EXECUTE": "NoExecute",
    "PREFER_NO_SCHEDULE": "PreferNoSchedule",
}
"""EKS's words for the effects of taints to those of Kubernetes."""


class TaintPlan(Struct, frozen=True):
    key: str
    value: str
    effect: str
    """EKS's spelling: ``NO_SCHEDULE``."""

    @property
    def kubernetes_effect(self) -> TaintEffect:
        """Kubernetes' own spelling: ``NoSchedule``."""
        return KUBERNETES_EFFECTS[self.effect]


class NodeGroupPlan(ComputeGroupPlan, frozen=True, kw_only=True):
    """One managed node group."""

    physical_name: str
    """``<name>-<8 hex>``: changes with whatever replaces the group, so that a replacement never collides."""
    labels: Mapping[str, str]
    taints: tuple[TaintPlan, ...]
    node_repair: NodeRepairPlan | None
    """None: EKS leaves unhealthy nodes alone."""
    in_secondary_subnets: bool = False
    """Its nodes are in subnets of the tier ``SECONDARY``."""
    pods_per_node: int | None = None
    """As the file says it; none where addresses are planned for as many pods as a node takes."""
    node_addresses: NodeAddresses | None = None
    """None where the catalog does not know how many addresses such a node takes."""

    @property
    def capacity_type(self) -> str:
        """EKS's word for how its nodes are bought: ``ON_DEMAND``, ``SPOT`` or ``CAPACITY_BLOCK``."""
        return self.machine.purchase.kind.upper()

    @property
    def update_strategy(self) -> str | None:
        """``MINIMAL`` where an update ends a node before it starts its successor; None for EKS's default.

        By default EKS starts up to twice as many nodes as the group has zones first: a reservation that is in use has
        no place for them, and accelerators with EFA stand in one placement group that may have none.
        Source: https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html
        """
        is_spot = self.machine.purchase.kind == "spot"
        is_scarce = self.machine.is_neuron and self.machine.efa_interfaces > 0 and not is_spot
        return "MINIMAL" if self.machine.purchase.is_reserved or is_scarce else None


class AutoModeRolesPlan(Struct, frozen=True):
    """What EKS Auto Mode needs where it is on: AWS managed policies, each with the reason for it, and node pools."""

    node_policies: Mapping[str, str]
    cluster_policies: Mapping[str, str]
    node_pools: tuple[str, ...]


class EksPlan(Struct, frozen=True):
    path: KeyPath
    name: str
    version: str
    kubectl_layer_module: str
    """Python module of the kubectl layer that fits the version, ``aws_cdk.lambda_layer_kubectl_v35``."""
    kubectl_layer_class: str
    service_cidr: str
    is_public: bool
    public_access_cidrs: tuple[str, ...]
    admins: tuple[str, ...]
    viewers: tuple[str, ...]
    namespaces: tuple[WorkloadNamespacePlan, ...]
    """Those of the file, and ``default`` in any case."""
    node_groups: tuple[NodeGroupPlan, ...]
    auto_mode: bool
    """EKS Auto Mode: EKS starts nodes of its own for pods that no node group takes."""
    node_policies: Mapping[str, str]
    """AWS managed policies of the role of nodes, each with the reason for it."""
    auto_mode_roles: AutoModeRolesPlan
    device_management: DeviceManagementPlan
    addons: tuple[AddonPlan, ...]
    charts: tuple[ChartPlan, ...]
    control_plane_logs: tuple[str, ...] = ()
    """Kinds of control plane logs, in the words of the file."""
    agent_log_groups: tuple[str, ...] = ()
    """Log groups that the CloudWatch add-on writes into, and would make without a key and without an end."""
    prefix_delegation: bool = False
    """The VPC CNI takes addresses for pods in whole prefixes."""
    installed_otherwise: tuple[str, ...] = ()
    """Components of ``eks.addons`` whose software the user installs."""
    image_cache: ImageCachePlan | None = None
    """None: charts and nodes pull from public registries themselves."""
    manifests: tuple[ManifestPlan, ...] = ()
    patches: tuple[PatchPlan, ...] = ()
    """Objects of ours that come after charts."""

    @property
    def group_stacks(self) -> Mapping[str, tuple[NodeGroupPlan, ...]]:
        """Every stack of node groups with those that it holds, in deploy order; none without a group."""
        return divided(self.node_groups, lambda group: not group.machine.is_neuron)

    @property
    def job_namespaces(self) -> tuple[WorkloadNamespacePlan, ...]:
        """Namespaces whose jobs the queues admit, in the order of the file; one at least."""
        return tuple(namespace for namespace in self.namespaces if namespace.takes_jobs)

    @property
    def queues(self) -> Mapping[str, tuple[NodeGroupPlan, ...]]:
        """Every queue with the groups that serve it, both in the order of the file."""
        queues: dict[str, tuple[NodeGroupPlan, ...]] = {}
        for group in self.node_groups:
            if group.queue is not None:
                queues[group.queue] = (*queues.get(group.queue, ()), group)
        return queues


class ClusterPlan(Struct, frozen=True):
    """One environment in one account and Region."""

    name: str
    account: str
    region: str
    partition: str
    is_durable: bool
    tags: Mapping[str, str]
    launch_tags: Mapping[str, str]
    """Those of ``tags`` that instances, their volumes and network interfaces get at launch."""
    neuron_sdk: str
    network: NetworkPlan
    storage: StoragePlan | None
    eks: EksPlan | None
    workstations: tuple[WorkstationPlan, ...] = ()
    addresses: tuple[AddressPlan, ...] = ()
    """Of every subnet."""
    containers: tuple[str, ...] = ()
    """Images that workloads run in, with their registry, in the order of the file."""
    observability: ObservabilityPlan | None = None

    def stack_name(self, part: str) -> str:
        """CloudFormation name of one stack: ``train-trn1-network``."""
        return f"{self.name}-{part}"

    @property
    def compute_groups(self) -> tuple[ComputeGroupPlan, ...]:
        """Those of the orchestrators first, then workstations, each in the order of the file."""
        return (*(self.eks.node_groups if self.eks is not None else ()), *self.workstations)

    def pulled_as(self, reference: str) -> str:
        """The name by which nodes pull an image: that in the cache, where it has the image's registry."""
        cache = self.eks.image_cache if self.eks is not None else None
        return (cache.mirror_of(reference) if cache is not None else None) or reference

    def public_name(self, reference: str) -> str:
        """The name outside of the cache; the other way round."""
        cache = self.eks.image_cache if self.eks is not None else None
        return (cache.upstream_of(reference) if cache is not None else None) or reference

    def is_copy(self, reference: str) -> bool:
        """Whether this is the name of a copy that `neuron-cluster images --commands` makes."""
        cache = self.eks.image_cache if self.eks is not None else None
        return cache is not None and cache.is_copy(reference)

    @property
    def teams(self) -> tuple[Team, ...]:
        """Teams that groups and workstations name."""
        return teams_of(self)

    @property
    def stacks(self) -> tuple[str, ...]:
        """The parts that will have a stack, in the order in which they are deployed."""
        return tuple(spec.part for spec in planned_stacks(self))
