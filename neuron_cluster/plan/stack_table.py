"""The one table of stacks: of the core, and of the provider of each section of the environment file."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from neuron_cluster.config.sections import sections
from neuron_cluster.plan.core_stacks import AFTER_PROVIDERS, BEFORE_PROVIDERS
from neuron_cluster.plan.stack_spec import Holds, StackSpec

if TYPE_CHECKING:
    from neuron_cluster.config.sections import SectionSpec
    from neuron_cluster.plan.cluster_plan import ClusterPlan


_registered: dict[str, tuple[StackSpec, ...]] = {}


def register_stacks(section: SectionSpec, stacks: Sequence[StackSpec]) -> None:
    """Adds the stacks of a section of the file. Raises ``ValueError`` where they do not fit into the table."""
    _table({**_registered, section.key: tuple(stacks)})
    _registered[section.key] = tuple(stacks)
    stack_specs.cache_clear()


def remove_stacks(section: SectionSpec) -> None:
    """Takes them out again. Raises ``KeyError`` where the section has none."""
    del _registered[section.key]
    stack_specs.cache_clear()


@functools.cache
def stack_specs() -> tuple[StackSpec, ...]:
    """Every stack that any environment can have or ever had, in deploy order; deleted in the reverse order."""
    return _table({section.key: _registered.get(section.key, ()) for section in sections()})


def _table(stacks: Mapping[str, Sequence[StackSpec]]) -> tuple[StackSpec, ...]:
    contributed = (spec for each in stacks.values() for spec in each)
    return in_deploy_order((*BEFORE_PROVIDERS, *contributed, *AFTER_PROVIDERS))


def in_deploy_order(specs: Sequence[StackSpec]) -> tuple[StackSpec, ...]:
    """The same specs. Raises ``ValueError`` where one is before a part that it is ``after``, or twice."""
    earlier: set[str] = set()
    for spec in specs:
        if late := [part for part in spec.after if part not in earlier]:
            raise ValueError(f"the stack {spec.part} is after {', '.join(late)}, which the table has not before it")
        if spec.part in earlier:
            raise ValueError(f"the table has the stack {spec.part} twice")
        earlier.add(spec.part)
    return tuple(specs)


def stack_parts() -> tuple[str, ...]:
    """The parts of ``stack_specs``."""
    return tuple(spec.part for spec in stack_specs())


def stack_spec(part: str) -> StackSpec:
    """Raises ``LookupError`` for a part that no table row has."""
    found = next((spec for spec in stack_specs() if spec.part == part), None)
    if found is None:
        raise LookupError(f"no stack has the part {part}")
    return found


def spec_of_stack(name: str) -> StackSpec | None:
    """The spec of a stack by its part, or its CloudFormation name; None for a stack of something else."""
    fitting = [spec for spec in stack_specs() if f"-{name}".endswith(f"-{spec.part}")]
    return max(fitting, key=lambda spec: len(spec.part), default=None)


def planned_stacks(plan: ClusterPlan) -> tuple[StackSpec, ...]:
    """Returns the stacks that a command with this plan deploys, in deploy order: all, or those for ``plan.part``."""
    wanted = {plan.part, *_below(stack_spec(plan.part))} if plan.part else None
    return tuple(
        spec
        for spec in stack_specs()
        if _is_planned(spec, plan) and (spec.part in wanted if wanted is not None else not spec.command)
    )


def parts_of_deploy() -> tuple[str, ...]:
    """Parts that `deploy` creates, and deletes where the file no longer has them."""
    return tuple(spec.part for spec in stack_specs() if not spec.command)


def _is_planned(spec: StackSpec, plan: ClusterPlan) -> bool:
    if spec.is_planned is None:
        return any(part.path[0] == spec.path[0] for part in plan.providers)
    return spec.is_planned(plan)


def data_parts() -> tuple[str, ...]:
    """Parts that hold data."""
    return tuple(spec.part for spec in stack_specs() if spec.holds is Holds.DATA)


def parts_below_data() -> tuple[str, ...]:
    """Parts that stay while there is data, because a stack with data depends on them."""
    return tuple(dict.fromkeys(below for part in data_parts() for below in _below(stack_spec(part))))


def protectable_parts() -> tuple[str, ...]:
    """Parts whose stacks a durable environment protects from termination."""
    below = parts_below_data()
    return tuple(spec.part for spec in stack_specs() if spec.holds is not Holds.NOTHING or spec.part in below)


def is_protected(plan: ClusterPlan, part: str) -> bool:
    """Whether this environment protects the stack from termination: it holds state, or state depends on it."""
    if not plan.is_durable or part not in protectable_parts():
        return False
    if stack_spec(part).holds is not Holds.NOTHING:
        return True
    with_data = (spec for spec in stack_specs() if spec.holds is Holds.DATA and _is_planned(spec, plan))
    return any(part in _below(spec) for spec in with_data)


def _below(spec: StackSpec) -> tuple[str, ...]:
    """Every part that it is deployed after, directly or not."""
    return tuple(each for part in spec.after for each in (*_below(stack_spec(part)), part))
