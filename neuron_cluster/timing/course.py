"""The course of a deploy: which stack and which resource begins when, and the chain that decides the end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct

from neuron_cluster.timing.timed_stack import TimedResource, TimedStack

Takes = Callable[[TimedStack, TimedResource], float]
"""Returns the seconds of a resource."""


class Step(Struct, frozen=True):
    """One resource of the critical path. ``begins`` counts seconds from the start of the deploy."""

    stack: TimedStack
    resource: TimedResource
    begins: float


class Course(Struct, frozen=True):
    seconds: float
    path: tuple[Step, ...]
    """The critical path; its steps end when the deploy ends."""


def course(stacks: Sequence[TimedStack], simultaneous: int, takes: Takes, running: Collection[str] = ()) -> Course:
    """The course with at most so many stacks at a time. Those of ``running`` have begun, before all others.

    CloudFormation begins every resource of a stack as soon as those that it waits for are complete.
    """
    within = {stack.name: _within(stack, takes) for stack in stacks}
    waiting = {stack.name: stack for stack in sorted(stacks, key=lambda stack: stack.name not in running)}
    began: dict[str, tuple[float, str | None]] = {}
    ends: dict[str, float] = {}
    now, last = 0.0, None
    while waiting or ends:
        for name, stack in list(waiting.items()):
            is_ready = name in running or not any(need in waiting or need in ends for need in stack.after)
            if is_ready and len(ends) < simultaneous:
                began[name], ends[name] = (now, last), now + within[name].seconds
                del waiting[name]
        last = min(ends, key=ends.__getitem__)
        now = ends.pop(last)
    return Course(now, _path(last, began, within))


def _path(
    last: str | None, began: Mapping[str, tuple[float, str | None]], within: Mapping[str, Course]
) -> tuple[Step, ...]:
    """Follows the stacks backwards, each to the one whose end has let it begin."""
    path: tuple[Step, ...] = ()
    while last is not None:
        start, before = began[last]
        own = (Step(step.stack, step.resource, start + step.begins) for step in within[last].path)
        path, last = (*own, *path), before
    return path


def _within(stack: TimedStack, takes: Takes) -> Course:
    """The course of one stack, from its own beginning."""
    steps: dict[str, Step] = {}
    ends: dict[str, float] = {}
    for resource in stack.resources:
        begins = max((ends[name] for name in resource.after), default=0.0)
        steps[resource.logical_id] = Step(stack, resource, begins)
        ends[resource.logical_id] = begins + takes(stack, resource)
    path: list[Step] = []
    following = max(ends, key=ends.__getitem__, default=None)
    while following is not None:
        path.insert(0, steps[following])
        following = max(steps[following].resource.after, key=ends.__getitem__, default=None)
    return Course(max(ends.values(), default=0.0), tuple(path))
