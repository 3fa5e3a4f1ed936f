"""Auto Scaling groups as a provider that the toolkit does not know: what another package would register."""

from __future__ import annotations

from neuron_cluster.config.change_row import ChangeRow, FieldEffect
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.stack_spec import StackSpec
from neuron_cluster.providers.dlami_groups.base import DlamiGroupsProvider
from neuron_cluster.resolved.dlami_group import DlamiGroup
from tests.orchestrators.auto_scaling.section import SECTION


class ScaledGroup(DlamiGroup, frozen=True):
    noun = "Auto Scaling group"
    machine_noun = "instance"


class ScaledGroupPlan(ComputeGroupPlan, frozen=True, kw_only=True):
    noun = "Auto Scaling group"


class AutoScalingProvider(DlamiGroupsProvider):
    section = SECTION
    rule_package = "tests.orchestrators.auto_scaling.rules"
    change_package = "tests.orchestrators.auto_scaling.changes"
    group = ScaledGroup
    group_plan = ScaledGroupPlan
    stacks = (
        StackSpec(
            stack_key="machines",
            purpose="Auto Scaling groups",
            key="auto_scaling",
            module="tests.orchestrators.auto_scaling.stack",
            after=(NETWORK.stack_key,),
        ),
    )

    def change_rows(self) -> tuple[ChangeRow, ...]:
        own = ChangeRow("auto_scaling", FieldEffect.DISPOSABLE, "Auto Scaling groups are created or deleted.")
        return (own, *super().change_rows())


AUTO_SCALING = AutoScalingProvider()
