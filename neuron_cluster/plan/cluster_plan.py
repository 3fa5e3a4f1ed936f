"""The plan of all resources: frozen, complete, nothing left to decide. The only input of CDK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct

from neuron_cluster.plan.addon_plan import AddonPlan, ChartPlan
from neuron_cluster.plan.address_plan import AddressPlan
from neuron_cluster.plan.budget_plan import BudgetPlan
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.image_cache_plan import ImageCachePlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.network_plan import NetworkPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.observability_plan import ObservabilityPlan
from neuron_cluster.plan.provider_plan import ProviderPlan
from neuron_cluster.plan.stack_table import planned_stacks
from neuron_cluster.plan.storage_plan import StoragePlan
from neuron_cluster.plan.team import Team, teams_of
from neuron_cluster.plan.workstation_plan import WorkstationPlan

OwnPlan = TypeVar("OwnPlan", bound=ProviderPlan)


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
    providers: tuple[ProviderPlan, ...]
    """In the order in which the providers are registered."""
    workstations: tuple[WorkstationPlan, ...] = ()
    addresses: tuple[AddressPlan, ...] = ()
    """Of every subnet."""
    frameworks: tuple[str, ...] = ()
    """Those that workloads are to use, in the order of the file."""
    containers: tuple[str, ...] = ()
    """Images that workloads run in, with their registry, in the order of the file."""
    observability: ObservabilityPlan | None = None
    prices: Mapping[str, float] = {}
    """USD of the file's own, by instance type and row of the catalog."""
    budget: BudgetPlan | None = None
    """None: no notification of the cost of the environment."""
    stack_key: str = ""
    """Key of the stack that its own command deploys, with those that it is after; empty: the environment."""

    def stack_name(self, stack_key: str) -> str:
        """CloudFormation name of one stack: ``train-trn1-network``."""
        return f"{self.name}-{stack_key}"

    @property
    def kubernetes(self) -> KubernetesPlan | None:
        """The Kubernetes cluster; an environment has one at most."""
        return self.provider(KubernetesPlan)

    def provider(self, kind: type[OwnPlan]) -> OwnPlan | None:
        """Returns the part of one provider; None without its section."""
        return next((each for each in self.providers if isinstance(each, kind)), None)

    @property
    def node_groups(self) -> tuple[NodeGroupPlan, ...]:
        """Node groups of the Kubernetes cluster."""
        return self.kubernetes.node_groups if self.kubernetes is not None else ()

    @property
    def addons(self) -> tuple[AddonPlan, ...]:
        """Add-ons of the Kubernetes cluster."""
        return self.kubernetes.addons if self.kubernetes is not None else ()

    @property
    def charts(self) -> tuple[ChartPlan, ...]:
        """Helm charts of the Kubernetes cluster."""
        return self.kubernetes.charts if self.kubernetes is not None else ()

    @property
    def compute_groups(self) -> tuple[ComputeGroupPlan, ...]:
        """Compute groups of the providers first, then workstations, each in the order of the file."""
        return (*self.cluster_groups, *self.workstations)

    @property
    def ec2_groups(self) -> tuple[ComputeGroupPlan, ...]:
        """Compute groups whose instances EC2 starts in the account."""
        return tuple(group for group in self.compute_groups if group.is_sold_by_ec2)

    @property
    def cluster_groups(self) -> tuple[ComputeGroupPlan, ...]:
        """Compute groups of the providers."""
        return tuple(group for each in self.providers for group in each.compute_groups)

    def has_security_group(self, role: SecurityGroupRole) -> bool:
        """Whether an interface of a compute group, or one that a service makes, has the group of this role."""
        if any(role in each.security_groups for each in self.providers):
            return True
        interfaces = (each for group in self.compute_groups for each in group.machine.interfaces)
        return any(role in interface.groups for interface in interfaces)

    @property
    def image_cache(self) -> ImageCachePlan | None:
        """None: images are pulled from their own registries."""
        return self.kubernetes.image_cache if self.kubernetes is not None else None

    def pulled_as(self, reference: str) -> str:
        """The name by which nodes pull an image: that in the cache, where it has the image's registry."""
        return (self.image_cache.mirror_of(reference) if self.image_cache is not None else None) or reference

    def public_name(self, reference: str) -> str:
        """The name outside of the cache; the other way round."""
        return (self.image_cache.upstream_of(reference) if self.image_cache is not None else None) or reference

    def is_copy(self, reference: str) -> bool:
        """Whether this is the name of a copy that `neuron-cluster images --commands` makes."""
        return self.image_cache is not None and self.image_cache.is_copy(reference)

    @property
    def teams(self) -> tuple[Team, ...]:
        """Teams that groups and workstations name."""
        return teams_of(self)

    @property
    def budgets(self) -> tuple[BudgetPlan, ...]:
        """The budget of the environment, then those of teams in the order of the file."""
        found = (self.budget, *(team.budget for team in self.teams))
        return tuple(budget for budget in found if budget is not None)

    @property
    def stacks(self) -> tuple[str, ...]:
        """Keys of the stacks that it will have, in the order in which they are deployed."""
        return tuple(spec.stack_key for spec in planned_stacks(self))
