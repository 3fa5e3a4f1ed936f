"""Its part of the plan, and its stack."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.compute_group_plan import BY_PARAMETER, BootstrapPlan, ComputeGroupPlan, ImagePlan
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.orchestrator_plan import OrchestratorPlan
from neuron_cluster.plan.stack_spec import StackSpec
from neuron_cluster.planning.build_machine import build_machine
from neuron_cluster.resolved.compute_group import ClusterGroup


class ScaledGroupPlan(ComputeGroupPlan, frozen=True, kw_only=True):
    noun = "Auto Scaling group"


class AutoScalingPlan(OrchestratorPlan, frozen=True, kw_only=True):
    groups: tuple[ScaledGroupPlan, ...]

    @property
    def compute_groups(self) -> tuple[ComputeGroupPlan, ...]:
        return self.groups


def build_group(group: ClusterGroup, region: str, catalog: Catalog) -> ScaledGroupPlan:
    dlami = catalog.dlami(group.image.name) if group.image is not None else None
    assert dlami is not None, "rule E3991"
    return ScaledGroupPlan(
        path=group.path,
        name=group.name,
        machine=build_machine(group, region, catalog, (SecurityGroupRole.NODE,)),
        image=ImagePlan(dlami.name, image=f"{BY_PARAMETER}{dlami.ssm_parameter}"),
        bootstrap=BootstrapPlan(),
        scaling=group.scaling,
        zone_ids=group.zone_ids,
        queue=group.queue,
    )


STACK = StackSpec(
    part="machines",
    purpose="Auto Scaling groups",
    key="auto_scaling",
    module="tests.orchestrators.auto_scaling.stack",
    is_planned=lambda plan: plan.orchestrator(AutoScalingPlan) is not None,
    after=(NETWORK.part,),
)
