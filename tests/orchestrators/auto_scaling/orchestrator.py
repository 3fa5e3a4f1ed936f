"""Auto Scaling groups as an orchestrator that the toolkit does not know: what another package would register."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.changes.rows.machine import machine_rows
from neuron_cluster.config.change_row import ChangeRow, FieldEffect
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.lock.model import Lock
from neuron_cluster.orchestrators.base import Orchestrator
from neuron_cluster.orchestrators.resource_kind import ResourceKind
from neuron_cluster.plan.network_plan import NetworkPlan
from neuron_cluster.plan.stack_spec import StackSpec
from neuron_cluster.planning.build_dlami_group import build_dlami_group
from neuron_cluster.resolved.dlami_group import DlamiGroup, resolve_dlami_group
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from tests.orchestrators.auto_scaling.plan import STACK, AutoScalingPlan, ScaledGroupPlan
from tests.orchestrators.auto_scaling.section import SECTION, AutoScaling


class ScaledGroup(DlamiGroup, frozen=True):
    noun = "Auto Scaling group"
    machine_noun = "instance"


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
        from tests.orchestrators.auto_scaling.changes import AutoScalingChanges

        return (AutoScalingChanges.kind,)

    def compute_groups(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[ScaledGroup]:
        section = config.section(AutoScaling)
        for position, spec in enumerate(section.groups if section is not None else ()):
            path, named = ("auto_scaling", "groups", position), {"name": spec.name, "queue": spec.queue}
            yield resolve_dlami_group(ScaledGroup, path, spec, spec.dlami, config, catalog, **named)

    def build_plan(
        self, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
    ) -> AutoScalingPlan | None:
        del network
        region, groups = environment.config.region, environment.groups_of(ScaledGroup)
        plans = tuple(build_dlami_group(ScaledGroupPlan, group, region, catalog, lock) for group in groups)
        return AutoScalingPlan(path=("auto_scaling",), groups=plans) if plans else None

    def stacks(self) -> tuple[StackSpec, ...]:
        return (STACK,)


AUTO_SCALING = AutoScalingOrchestrator()
