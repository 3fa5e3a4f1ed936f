"""Amazon EKS behind the provider protocol."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.protocol.network_needs import NetworkNeeds
from neuron_cluster.protocol.provider import Provider
from neuron_cluster.protocol.registry import register
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.config.section import EKS_SECTION
from neuron_cluster.providers.eks.node_groups import resolve_node_groups
from neuron_cluster.providers.eks.stacks import STACKS
from neuron_cluster.schedulers.kubernetes.scheduler import KUBERNETES

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.change_row import ChangeRow
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.address_plan import AddressPlan
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.network_plan import NetworkPlan
    from neuron_cluster.protocol.address_edits import AddressEdits
    from neuron_cluster.protocol.operations import Operations
    from neuron_cluster.providers.eks.plan.eks_plan import EksPlan
    from neuron_cluster.providers.eks.plan.managed_node_group_plan import ManagedNodeGroupPlan
    from neuron_cluster.resolved.compute_group import ClusterGroup
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class EksProvider(Provider):
    """Managed node groups of one cluster."""

    section = EKS_SECTION
    rule_package = "neuron_cluster.providers.eks.rules"
    change_package = "neuron_cluster.providers.eks.changes"
    stacks = STACKS
    has_teams = True
    schedulers = (KUBERNETES,)

    def change_rows(self) -> tuple[ChangeRow, ...]:
        from neuron_cluster.providers.eks.changes.change_rows import EKS_ROWS  # `validate` has no use of them

        return EKS_ROWS

    def compute_groups(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[ClusterGroup]:
        return resolve_node_groups(config, catalog)

    def network_needs(self, environment: ResolvedEnvironment, catalog: Catalog) -> NetworkNeeds:
        """Nodes of EKS Auto Mode have the cluster's security group alone, which exists after the network stack."""
        from neuron_cluster.providers.eks.endpoint_users import endpoint_users

        config = environment.config
        region, cluster = catalog.regions.get(config.region), config.section(Eks)
        excluded = tuple(region.eks_control_plane_excluded) if region is not None else ()
        if cluster is None:
            return NetworkNeeds(excluded)
        return NetworkNeeds(excluded, cluster.auto_mode, endpoint_users(environment, catalog))

    def node_groups(
        self, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
    ) -> tuple[ManagedNodeGroupPlan, ...]:
        from neuron_cluster.providers.eks.plan.build_node_group import build_node_groups

        return build_node_groups(environment, network, catalog, lock)

    def build_plan(
        self, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
    ) -> EksPlan | None:
        from neuron_cluster.providers.eks.plan.build_eks_plan import build_eks_plan

        return build_eks_plan(environment, network, catalog, lock)

    def address_edits(self, plan: ClusterPlan, subnet: AddressPlan, catalog: Catalog) -> AddressEdits:
        from neuron_cluster.providers.eks.address_edits import address_edits

        return address_edits(plan, subnet, catalog)

    def operations(self) -> Operations:
        from neuron_cluster.providers.eks.operations import EksOperations

        return EksOperations()


EKS = EksProvider()
register(EKS)
