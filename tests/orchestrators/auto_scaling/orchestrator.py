"""Auto Scaling groups as an orchestrator that the toolkit does not know: what another package would register."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.changes.rows.machine import machine_rows
from neuron_cluster.config.change_row import ChangeRow, FieldEffect
from neuron_cluster.config.environment import EnvironmentConfig
from neuron_cluster.lock.model import Lock
from neuron_cluster.orchestrators.base import Orchestrator
from neuron_cluster.orchestrators.registry import register, unregister
from neuron_cluster.orchestrators.resource_kind import ResourceKind
from neuron_cluster.plan.network_plan import NetworkPlan
from neuron_cluster.plan.stack_spec import StackSpec
from neuron_cluster.resolved.environment import ResolvedEnvironment
from tests.orchestrators.auto_scaling.config import SECTION
from tests.orchestrators.auto_scaling.groups import ScaledGroup, resolve_groups
from tests.orchestrators.auto_scaling.plan import STACK, AutoScalingPlan, build_auto_scaling_plan


class AutoScalingOrchestrator(Orchestrator):
    section = SECTION
    rule_package = "tests.orchestrators.auto_scaling.rules"
    change_package = "tests.orchestrators.auto_scaling.changes"

    def change_rows(self) -> tuple[ChangeRow, ...]:
        groups = "auto_scaling.groups"
        return (
            ChangeRow("auto_scaling", FieldEffect.DISPOSABLE, "Auto Scaling groups are created or deleted."),
            ChangeRow(groups, FieldEffect.DISPOSABLE, "A group is created or deleted."),
            ChangeRow(f"{groups}[].name", FieldEffect.DISPOSABLE, "The group is replaced."),
            ChangeRow(f"{groups}[].dlami", FieldEffect.IN_PLACE, "Instances start with the other image."),
            ChangeRow(f"{groups}[].queue", FieldEffect.NONE, "Nothing."),
            *machine_rows(f"{groups}[]"),
        )

    def resource_kinds(self) -> tuple[ResourceKind, ...]:
        from tests.orchestrators.auto_scaling.changes.source import KIND

        return (KIND,)

    def compute_groups(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[ScaledGroup]:
        return resolve_groups(config, catalog)

    def build_plan(
        self, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
    ) -> AutoScalingPlan | None:
        del network, lock
        return build_auto_scaling_plan(environment, catalog)

    def stacks(self) -> tuple[StackSpec, ...]:
        return (STACK,)


AUTO_SCALING = AutoScalingOrchestrator()


@contextlib.contextmanager
def registered_for_test() -> Iterator[AutoScalingOrchestrator]:
    """Registered within the block alone."""
    register(AUTO_SCALING)
    try:
        yield AUTO_SCALING
    finally:
        unregister(AUTO_SCALING)
