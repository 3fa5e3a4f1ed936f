from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.block_window import window_of
from neuron_cluster.rules.weekly_time import (
    DAY,
    HOUR,
    WEEK,
    in_words,
    minute_of_moment,
    minute_of_window,
    minutes_from,
    minutes_of_schedule,
    window_text,
)


class MaintenanceDuringSaves(Rule):
    """Maintenance of Lustre is not in the last hour of a capacity block, nor during the drill (`maintenance_window`).

    During maintenance FSx is not available for some minutes, every few weeks, and file operations wait.

    Without this check AWS reports no error. The last save of a block waits for the file system while EC2 terminates the
    instances, and a drill that waits takes longer than the restore that it measures.
    """

    id = "W4071"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/maintenance-windows.html"
    proposes = ("maintenance_window",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        window = storage.lustre.maintenance_window if storage is not None and storage.lustre is not None else None
        if window is None:
            return
        length = context.catalog.limits["lustre_maintenance_window"].require_maximum()
        start = minute_of_window(window)
        busy = list(_busy_times(context.environment))
        crossed = [name for name, minutes in busy if minutes & minutes_from(start, length)]
        if not crossed:
            return
        taken = frozenset[int]().union(*(minutes for _, minutes in busy))
        free = (at for at in range(start, start + WEEK, length) if not taken & minutes_from(at, length))
        better = next(free, None)
        yield Violation(
            ("storage", "lustre", "maintenance_window"),
            f"the window from {in_words(start)} to {in_words(start + length)} UTC covers {listed(crossed)}",
            f'set maintenance_window: "{window_text(better)}"' if better is not None else "remove maintenance_window",
        )


def _busy_times(environment: ResolvedEnvironment) -> Iterator[tuple[str, frozenset[int]]]:
    """Yields the jobs that write or read, with their minutes of the week."""
    for group in environment.compute_groups:
        ends = window_of(group.block).ends if group.block is not None else None
        if ends is not None:
            name = f"the last hour of the capacity block of {group.name}, which ends {ends:%Y-%m-%d %H:%M} UTC"
            yield name, minutes_from(minute_of_moment(ends) - HOUR, HOUR)
    storage = environment.config.storage
    drill = storage.checkpoints.drill if storage is not None and storage.checkpoints is not None else None
    minutes = minutes_of_schedule(drill) if drill is not None else frozenset()
    if minutes and len(minutes) < DAY:
        yield f"the start of the drill ({drill})", minutes
