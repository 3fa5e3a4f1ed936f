"""The input of a stack: the plan, its row of the stack table, and the stacks before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from constructs import Construct
from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.stack_spec import StackSpec
from stacks.environment_stack import EnvironmentStack

Built = TypeVar("Built", bound=EnvironmentStack)
Planned = TypeVar("Planned")


class StackContext(Struct, frozen=True):
    """Argument of ``build`` in every module that the stack table names."""

    scope: Construct
    plan: ClusterPlan
    spec: StackSpec
    built: Mapping[str, EnvironmentStack]
    """Stacks by part that were built before this one."""
    catalog: Catalog

    @property
    def groups(self) -> tuple[ComputeGroupPlan, ...]:
        """Compute groups of the section that the stack is of."""
        return tuple(group for group in self.plan.cluster_groups if group.path[0] == self.spec.path[0])

    def stack(self, spec: StackSpec, kind: type[Built]) -> Built:
        """Raises ``LookupError`` where the environment has no such stack before this one."""
        return planned(self.stack_if_planned(spec, kind))

    def stack_if_planned(self, spec: StackSpec, kind: type[Built]) -> Built | None:
        """None where the environment has none. Raises ``LookupError`` for a stack that this one is not ``after``."""
        if spec.stack_key not in self.spec.after:
            raise LookupError(f"the stack {self.spec.stack_key} is not after {spec.stack_key}")
        found = self.built.get(spec.stack_key)
        return found if isinstance(found, kind) else None


def planned(value: Planned | None) -> Planned:
    """Returns the value, which ``StackSpec.is_planned`` promises. Raises ``LookupError`` where it is None."""
    if value is None:
        raise LookupError("a stack is built from a part that the plan does not have")
    return value
