"""Its part of the plan, and its stack."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import BY_PARAMETER, BootstrapPlan, ComputeGroupPlan, ImagePlan
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.orchestrator_plan import OrchestratorPlan
from neuron_cluster.plan.stack_spec import StackSpec
from neuron_cluster.planning.build_machine import build_machine
from neuron_cluster.resolved.environment import ResolvedEnvironment
from tests.orchestrators.auto_scaling.groups import ScaledGroup


class ScaledGroupPlan(ComputeGroupPlan, frozen=True, kw_only=True):
    noun = "Auto Scaling group"


class AutoScalingPlan(OrchestratorPlan, frozen=True, kw_only=True):
    groups: tuple[ScaledGroupPlan, ...]

    @property
    def compute_groups(self) -> tuple[ComputeGroupPlan, ...]:
        return self.groups


def auto_scaling_plan(plan: ClusterPlan) -> AutoScalingPlan | None:
    return next((each for each in plan.orchestrators if isinstance(each, AutoScalingPlan)), None)


def build_auto_scaling_plan(environment: ResolvedEnvironment, catalog: Catalog) -> AutoScalingPlan | None:
    groups = [group for group in environment.compute_groups if isinstance(group, ScaledGroup)]
    region = environment.config.region
    plans = tuple(_group(group, region, catalog) for group in groups)
    return AutoScalingPlan(path=("auto_scaling",), groups=plans) if plans else None


def _group(group: ScaledGroup, region: str, catalog: Catalog) -> ScaledGroupPlan:
    dlami = catalog.dlami(group.spec.dlami)
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
    is_planned=lambda plan: auto_scaling_plan(plan) is not None,
    after=(NETWORK.part,),
)
