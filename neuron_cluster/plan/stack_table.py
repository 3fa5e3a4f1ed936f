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
    """The same specs. Raises ``ValueError`` where one is before a stack that it is ``after``, or twice."""
    earlier: set[str] = set()
    for spec in specs:
        if late := [stack_key for stack_key in spec.after if stack_key not in earlier]:
            raise ValueError(
                f"the stack {spec.stack_key} is after {', '.join(late)}, which the table has not before it"
            )
        if spec.stack_key in earlier:
            raise ValueError(f"the table has the stack {spec.stack_key} twice")
        earlier.add(spec.stack_key)
    return tuple(specs)


def stack_keys() -> tuple[str, ...]:
    """The keys of ``stack_specs``."""
    return tuple(spec.stack_key for spec in stack_specs())


def stack_spec(stack_key: str) -> StackSpec:
    """Raises ``LookupError`` for a key that no table row has."""
    found = next((spec for spec in stack_specs() if spec.stack_key == stack_key), None)
    if found is None:
        raise LookupError(f"no stack has the key {stack_key}")
    return found


def spec_of_stack(name: str) -> StackSpec | None:
    """The spec of a stack by its key, or its CloudFormation name; None for a stack of something else."""
    fitting = [spec for spec in stack_specs() if f"-{name}".endswith(f"-{spec.stack_key}")]
    return max(fitting, key=lambda spec: len(spec.stack_key), default=None)


def planned_stacks(plan: ClusterPlan) -> tuple[StackSpec, ...]:
    """The stacks that a command with this plan deploys, in deploy order: all, or those for ``plan.stack_key``."""
    wanted = {plan.stack_key, *_below(stack_spec(plan.stack_key))} if plan.stack_key else None
    return tuple(
        spec
        for spec in stack_specs()
        if _is_planned(spec, plan) and (spec.stack_key in wanted if wanted is not None else not spec.command)
    )


def stack_keys_of_deploy() -> tuple[str, ...]:
    """Stacks that `deploy` creates, and deletes where the file no longer has them."""
    return tuple(spec.stack_key for spec in stack_specs() if not spec.command)


def _is_planned(spec: StackSpec, plan: ClusterPlan) -> bool:
    if spec.is_planned is None:
        return any(provider.path[0] == spec.path[0] for provider in plan.providers)
    return spec.is_planned(plan)


def data_stack_keys() -> tuple[str, ...]:
    """Stacks that hold data."""
    return tuple(spec.stack_key for spec in stack_specs() if spec.holds is Holds.DATA)


def stack_keys_below_data() -> tuple[str, ...]:
    """Stacks that stay while there is data, because a stack with data depends on them."""
    return tuple(dict.fromkeys(below for stack_key in data_stack_keys() for below in _below(stack_spec(stack_key))))


def protectable_stack_keys() -> tuple[str, ...]:
    """Stacks that a durable environment protects from termination."""
    below = stack_keys_below_data()
    return tuple(spec.stack_key for spec in stack_specs() if spec.holds is not Holds.NOTHING or spec.stack_key in below)


def is_protected(plan: ClusterPlan, stack_key: str) -> bool:
    """Whether this environment protects the stack from termination: it holds state, or state depends on it."""
    if not plan.is_durable or stack_key not in protectable_stack_keys():
        return False
    if stack_spec(stack_key).holds is not Holds.NOTHING:
        return True
    with_data = (spec for spec in stack_specs() if spec.holds is Holds.DATA and _is_planned(spec, plan))
    return any(stack_key in _below(spec) for spec in with_data)


def _below(spec: StackSpec) -> tuple[str, ...]:
    """Every stack that it is deployed after, directly or not."""
    return tuple(each for stack_key in spec.after for each in (*_below(stack_spec(stack_key)), stack_key))
