"""How long the creation of stacks still takes, by what has begun and what is complete."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from neuron_cluster.catalog.resource_duration import SecondsRange
from neuron_cluster.timing.course import course
from neuron_cluster.timing.timed_stack import TimedResource, TimedStack


class ResourceState(Struct, frozen=True):
    """A resource that CloudFormation has begun."""

    began: datetime
    is_complete: bool


States = Mapping[str, Mapping[str, ResourceState]]
"""Resources that have begun, by stack and logical id."""


class LateResource(Struct, frozen=True):
    """A resource in progress that has taken longer than the longest time of the catalog."""

    stack: str
    logical_id: str
    type: str
    seconds: float
    """Since it began."""
    expected: SecondsRange


class RemainingTime(Struct, frozen=True):
    seconds: SecondsRange
    """A late resource counts as no further time."""
    late: tuple[LateResource, ...] = ()


def remaining_time(stacks: Sequence[TimedStack], simultaneous: int, states: States, at: datetime) -> RemainingTime:
    """The time from the moment ``at`` until all stacks exist."""
    left = [stack for stack in stacks if not _is_complete(stack, states)]
    running = {stack.name for stack in left if states.get(stack.name)}

    def taken(stack: TimedStack, resource: TimedResource, whole: int) -> float:
        state = states.get(stack.name, {}).get(resource.logical_id)
        if state is None:
            return whole
        return 0 if state.is_complete else max(0, whole - _since(state, at))

    shortest = course(left, simultaneous, lambda stack, each: taken(stack, each, each.seconds.low), running)
    longest = course(left, simultaneous, lambda stack, each: taken(stack, each, each.seconds.high), running)
    seconds = SecondsRange(low=round(shortest.seconds), high=round(longest.seconds))
    return RemainingTime(seconds, tuple(_late(left, states, at)))


def _is_complete(stack: TimedStack, states: States) -> bool:
    found = states.get(stack.name, {})
    return all(each.logical_id in found and found[each.logical_id].is_complete for each in stack.resources)


def _late(stacks: Sequence[TimedStack], states: States, at: datetime) -> Iterator[LateResource]:
    for stack in stacks:
        for each in stack.resources:
            state = states.get(stack.name, {}).get(each.logical_id)
            if state is None or state.is_complete or each.create is None:
                continue
            seconds = _since(state, at)
            if seconds > each.create.high:
                yield LateResource(stack.name, each.logical_id, each.type, seconds, each.create)


def _since(state: ResourceState, at: datetime) -> float:
    """Clocks differ: a resource has not begun in the future."""
    return max(0.0, (at - state.began).total_seconds())
