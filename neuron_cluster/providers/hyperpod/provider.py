"""SageMaker HyperPod behind the provider protocol."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.protocol.address_edits import AddressEdits
from neuron_cluster.protocol.network_needs import NetworkNeeds
from neuron_cluster.protocol.provider import Provider
from neuron_cluster.protocol.registry import register
from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.providers.hyperpod.config.section import HYPERPOD_SECTION
from neuron_cluster.providers.hyperpod.groups import HyperPodInstances, resolve_groups
from neuron_cluster.providers.hyperpod.stacks import STACKS
from neuron_cluster.schedulers.kubernetes.scheduler import KUBERNETES
from neuron_cluster.schedulers.slurm.scheduler import SLURM_SCHEDULER

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.change_row import ChangeRow
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.address_plan import AddressPlan
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.network_plan import NetworkPlan
    from neuron_cluster.protocol.operations import Operations
    from neuron_cluster.protocol.scheduler import Scheduler
    from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodGroupPlan, HyperPodPlan
    from neuron_cluster.resolved.compute_group import ClusterGroup
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class HyperPodProvider(Provider):
    """Instance groups of one HyperPod cluster, whose nodes join the EKS cluster or run Slurm."""

    section = HYPERPOD_SECTION
    rule_package = "neuron_cluster.providers.hyperpod.rules"
    has_rules_for_its_section_only = True
    change_package = "neuron_cluster.providers.hyperpod.changes"
    stacks = STACKS
    has_teams = True
    schedulers = (KUBERNETES, SLURM_SCHEDULER)

    def schedulers_in(self, config: EnvironmentConfig) -> tuple[Scheduler, ...]:
        hyperpod = config.section(HyperPod)
        if hyperpod is None:
            return ()
        return (KUBERNETES,) if hyperpod.slurm is None else (SLURM_SCHEDULER,)

    def change_rows(self) -> tuple[ChangeRow, ...]:
        from neuron_cluster.providers.hyperpod.changes.change_rows import HYPERPOD_ROWS  # no use for `validate`

        return HYPERPOD_ROWS

    def compute_groups(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[ClusterGroup]:
        return resolve_groups(config, catalog)

    def network_needs(self, environment: ResolvedEnvironment, catalog: Catalog) -> NetworkNeeds:
        del catalog
        groups = environment.groups_of(HyperPodInstances)
        return NetworkNeeds(endpoint_users=tuple(sorted({group.endpoint_user for group in groups})))

    def address_edits(self, plan: ClusterPlan, subnet: AddressPlan, catalog: Catalog) -> AddressEdits:
        del catalog
        own = [group for group in plan.cluster_groups if group.path[0] == self.section.key]
        is_here = any(subnet.zone_id in group.zone_ids for group in own)
        return AddressEdits("lower count.desired in hyperpod.groups" if is_here else None)

    def node_groups(
        self, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
    ) -> tuple[HyperPodGroupPlan, ...]:
        from neuron_cluster.providers.hyperpod.plan.build_hyperpod_plan import build_groups

        del lock
        return build_groups(environment, network, catalog)

    def build_plan(
        self, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
    ) -> HyperPodPlan | None:
        from neuron_cluster.providers.hyperpod.plan.build_hyperpod_plan import build_hyperpod_plan

        return build_hyperpod_plan(environment, network, catalog, lock)

    def operations(self) -> Operations:
        from neuron_cluster.providers.hyperpod.operations import HyperPodOperations

        return HyperPodOperations()


HYPERPOD = HyperPodProvider()
register(HYPERPOD)
