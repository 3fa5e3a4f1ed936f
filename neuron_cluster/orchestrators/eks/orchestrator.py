"""Amazon EKS as the core knows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.eks.config.section import EKS_SECTION
from neuron_cluster.orchestrators.eks.node_groups import resolve_node_groups
from neuron_cluster.orchestrators.registry import register

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.changes.effects import ChangeRow
    from neuron_cluster.config.environment import EnvironmentConfig
    from neuron_cluster.orchestrators.operations import Operations
    from neuron_cluster.resolved.compute_group import ClusterGroup


class EksOrchestrator:
    """Managed node groups of one cluster."""

    section = EKS_SECTION
    rule_package = "neuron_cluster.orchestrators.eks.rules"

    def change_rows(self) -> tuple[ChangeRow, ...]:
        from neuron_cluster.orchestrators.eks.change_rows import EKS_ROWS  # `validate` has no use of them

        return EKS_ROWS

    def compute_groups(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[ClusterGroup]:
        return resolve_node_groups(config, catalog)

    def operations(self) -> Operations:
        from neuron_cluster.orchestrators.eks.operations import EksOperations

        return EksOperations()


EKS = EksOrchestrator()
register(EKS)
