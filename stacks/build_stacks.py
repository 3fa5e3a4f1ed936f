"""All stacks of one environment, in the order in which they are deployed."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from constructs import Construct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.stack_spec import StackSpec
from neuron_cluster.plan.stack_table import planned_stacks
from stacks.environment_stack import EnvironmentStack, tag_resources
from stacks.stack_context import StackContext


def build_stacks(scope: Construct, plan: ClusterPlan, catalog: Catalog) -> None:
    """Builds the stacks of the plan; CDK makes a stack wait for those whose values it uses."""
    tag_resources(scope, plan)
    built: dict[str, EnvironmentStack] = {}
    for spec in planned_stacks(plan):
        stack = _build(spec, scope, plan, built, catalog)
        for stack_key in spec.waits_for:
            if stack_key in built:
                stack.add_stack_dependency(built[stack_key])
        built[spec.stack_key] = stack


def _build(
    spec: StackSpec, scope: Construct, plan: ClusterPlan, built: Mapping[str, EnvironmentStack], catalog: Catalog
) -> EnvironmentStack:
    """Imports the module only now: each module of CDK takes tens of milliseconds, and few environments use all."""
    stack: EnvironmentStack = importlib.import_module(spec.module).build(
        StackContext(scope, plan, spec, built, catalog)
    )
    return stack
