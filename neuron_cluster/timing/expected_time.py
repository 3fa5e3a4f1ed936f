"""How long the creation of stacks takes, by the durations of the catalog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from neuron_cluster.catalog.resource_duration import SecondsRange
from neuron_cluster.timing.course import course
from neuron_cluster.timing.timed_stack import TimedStack


class PathStep(Struct, frozen=True):
    """One resource of the critical path that the catalog has a figure for."""

    stack: str
    logical_id: str
    type: str
    begins: int
    """Seconds after the start of the deploy, where everything takes its longest time."""
    takes: SecondsRange
    is_doubtful: bool


class ExpectedTime(Struct, frozen=True):
    """The time in which stacks that do not exist yet are created."""

    seconds: SecondsRange
    path: tuple[PathStep, ...]
    """The chain of resources that decides the end, where everything takes its longest time."""
    not_counted: Mapping[str, int]
    """Number of resources by type of those that the catalog has no figure for."""


def expected_time(stacks: Sequence[TimedStack], simultaneous: int) -> ExpectedTime:
    """``simultaneous``: how many stacks are created at a time."""
    shortest = course(stacks, simultaneous, lambda _, resource: resource.seconds.low)
    longest = course(stacks, simultaneous, lambda _, resource: resource.seconds.high)
    steps = [
        PathStep(
            step.stack.name,
            step.resource.logical_id,
            step.resource.type,
            round(step.begins),
            step.resource.seconds,
            step.resource.is_doubtful,
        )
        for step in longest.path
        if step.resource.create is not None
    ]
    unknown = Counter(each.type for stack in stacks for each in stack.resources if each.create is None)
    return ExpectedTime(
        SecondsRange(low=round(shortest.seconds), high=round(longest.seconds)),
        tuple(steps),
        dict(sorted(unknown.items())),
    )
