"""Slurm on AWS PCS behind the provider protocol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from neuron_cluster.protocol.network_needs import NetworkNeeds
from neuron_cluster.protocol.provider import Provider
from neuron_cluster.protocol.registry import register
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.config.section import SLURM_SECTION
from neuron_cluster.providers.pcs.groups import SlurmGroup, resolve_groups
from neuron_cluster.providers.pcs.stacks import STACKS
from neuron_cluster.schedulers.slurm.scheduler import SLURM_SCHEDULER

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.neuron_sdk import NeuronSdk
    from neuron_cluster.config.change_row import ChangeRow
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.network_plan import NetworkPlan
    from neuron_cluster.protocol.export import Export
    from neuron_cluster.protocol.operations import Operations
    from neuron_cluster.protocol.upgrade_step import UpgradeStep
    from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
    from neuron_cluster.resolved.compute_group import ClusterGroup
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


PARALLELCLUSTER = "parallelcluster"


class SlurmProvider(Provider):
    """Compute node groups and queues of one PCS cluster."""

    section = SLURM_SECTION
    rule_package = "neuron_cluster.providers.pcs.rules"
    has_rules_for_its_section_only = True
    change_package = "neuron_cluster.providers.pcs.changes"
    stacks = STACKS
    has_teams = True
    schedulers = (SLURM_SCHEDULER,)
    export_formats = (PARALLELCLUSTER,)

    def change_rows(self) -> tuple[ChangeRow, ...]:
        from neuron_cluster.providers.pcs.changes.change_rows import SLURM_ROWS  # `validate` has no use of them

        return SLURM_ROWS

    def compute_groups(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[ClusterGroup]:
        return resolve_groups(config, catalog)

    def network_needs(self, environment: ResolvedEnvironment, catalog: Catalog) -> NetworkNeeds:
        del catalog
        has_cluster = environment.config.section(Slurm) is not None
        return NetworkNeeds(endpoint_users=(SlurmGroup.endpoint_user,) if has_cluster else ())

    def build_plan(
        self, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
    ) -> SlurmPlan | None:
        from neuron_cluster.providers.pcs.plan.build_slurm_plan import build_slurm_plan

        del network
        return build_slurm_plan(environment, catalog, lock)

    def upgrade_steps(
        self, environment: ResolvedEnvironment, after: NeuronSdk, catalog: Catalog, lock: Lock | None
    ) -> Sequence[UpgradeStep]:
        from neuron_cluster.providers.pcs.upgrade_steps import upgrade_steps

        return tuple(upgrade_steps(environment, after, catalog, lock))

    def export(self, export_format: str, plan: ClusterPlan, catalog: Catalog) -> Export:
        if export_format != PARALLELCLUSTER:
            return super().export(export_format, plan, catalog)
        from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
        from neuron_cluster.schedulers.slurm.parallelcluster.export import export_parallelcluster

        return export_parallelcluster(plan, plan.provider(SlurmPlan), catalog)

    def operations(self) -> Operations:
        from neuron_cluster.providers.pcs.operations import SlurmOperations

        return SlurmOperations()


SLURM = SlurmProvider()
register(SLURM)
