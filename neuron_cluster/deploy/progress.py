"""How far each stack is, from its events."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from msgspec import Struct

from neuron_cluster.aws.cloudformation import StackEvent, events_after, newest_event, stack, stacks_named
from neuron_cluster.aws.session import Target
from neuron_cluster.timing.remaining_time import ResourceState

WAITING = "waiting"
REACHED = ("_COMPLETE", "DELETE_SKIPPED")
"""The last statuses of a resource: data that CloudFormation retains was deleted by `destroy` before."""
MADE = ("CREATE_COMPLETE", "UPDATE_COMPLETE")
ROLLED_BACK = "ROLLBACK_COMPLETE"
STACK_TYPE = "AWS::CloudFormation::Stack"


class StackProgress(Struct, frozen=True):
    """One stack, as it is now."""

    name: str
    status: str
    """CloudFormation's status of the stack, or ``waiting`` before its first event."""
    done: int
    """Resources that have reached their goal in this run."""
    total: int | None
    """Resources that there are to make; none for an update, which touches a part of them."""
    seconds: float
    """Since the stack's first event of this run; never more than the watch has lasted, since clocks jump and differ."""
    slowest: str = ""
    """The resource that has been in progress for longest: logical id and type."""
    slowest_seconds: float = 0
    resources: Mapping[str, ResourceState] = {}
    """Resources that have begun in this run, by logical id."""

    @property
    def is_running(self) -> bool:
        return self.status.endswith("_IN_PROGRESS")

    @property
    def has_changed(self) -> bool:
        return self.status != WAITING


@dataclass
class StackWatch:
    """Watches stacks from now on. ``totals`` gives the resources of each stack by name, in the order of work."""

    target: Target
    totals: dict[str, int]
    _ids: dict[str, str] = field(default_factory=dict)
    _seen: dict[str, str | None] = field(default_factory=dict)
    _events: dict[str, list[StackEvent]] = field(default_factory=dict)
    _began: float = field(default_factory=time.monotonic)
    _replaced: set[str] = field(default_factory=set)
    """Stacks whose first change failed: the CDK command deletes such a stack and creates another with its name."""

    def __post_init__(self) -> None:
        for name, found in stacks_named(self.target, self.totals).items():
            self._ids[name] = found.id
            self._seen[name] = newest_event(self.target, found.id)
            if found.status == ROLLED_BACK:
                self._replaced.add(name)

    def look(self) -> list[StackProgress]:
        """Reads the events of this run and reports how far each stack is."""
        self._find_new_stacks()
        for name in self.totals:
            self._events.setdefault(name, [])
            self._follow_successor(name)
            events = self._events[name]
            if name not in self._ids or self._progress(name).status.endswith("_COMPLETE"):
                continue
            last = events[-1].id if events else self._seen.get(name)
            events += events_after(self.target, self._ids[name], last)
        return [self._progress(name) for name in self.totals]

    def _find_new_stacks(self) -> None:
        """One call for all stacks that do not exist yet, instead of one for the events of each."""
        missing = [name for name in self.totals if name not in self._ids]
        self._ids |= {name: found.id for name, found in stacks_named(self.target, missing).items()}

    def _follow_successor(self, name: str) -> None:
        """Turns to the stack that has taken the place of one that was deleted."""
        found = stack(self.target, name) if name in self._replaced else None
        if found is not None and found.id != self._ids[name]:
            self._replaced.remove(name)
            self._ids[name], self._events[name] = found.id, []
            self._seen.pop(name)

    def failures(self) -> list[tuple[str, StackEvent]]:
        """Stack and event of every resource that failed by itself, in the order of time: the first is the cause."""
        failed = [
            (name, event)
            for name, events in self._events.items()
            for event in events
            if event.status.endswith("_FAILED") and not _is_consequence(event)
        ]
        of_resources = [(name, event) for name, event in failed if not is_of_stack(event, name)]
        return sorted(of_resources or failed, key=lambda pair: pair[1].at)

    def _progress(self, name: str) -> StackProgress:
        events = self._events[name]
        own = [e for e in events if is_of_stack(e, name) and e.status != "REVIEW_IN_PROGRESS"]  # a change set is made
        last = {event.logical_id: event for event in events if not is_of_stack(event, name)}
        running = [event for event in last.values() if event.status.endswith("_IN_PROGRESS")]
        status = own[-1].status if own else WAITING
        if not status.endswith("_IN_PROGRESS"):
            running = []
        began = {event.logical_id: event.at for event in reversed(events)}
        slowest = min(running, key=lambda event: began[event.logical_id], default=None)
        until = datetime.now(UTC) if status.endswith("_IN_PROGRESS") else (events[-1].at if events else None)
        longest = time.monotonic() - self._began
        return StackProgress(
            name=name,
            status=status,
            done=sum(event.status.endswith(REACHED) for event in last.values()),
            total=None if name in self._seen else self.totals[name],
            seconds=min(longest, (until - events[0].at).total_seconds()) if until is not None and events else 0,
            slowest=f"{slowest.logical_id} ({slowest.type})" if slowest is not None else "",
            slowest_seconds=min(longest, _since(began[slowest.logical_id])) if slowest else 0,
            resources={name: ResourceState(began[name], event.status in MADE) for name, event in last.items()},
        )


def _since(at: datetime) -> float:
    return (datetime.now(UTC) - at).total_seconds()


def is_of_stack(event: StackEvent, name: str) -> bool:
    """Whether the event is about the stack itself."""
    return event.type == STACK_TYPE and event.logical_id == name


def _is_consequence(event: StackEvent) -> bool:
    return "cancelled" in event.reason.lower()
