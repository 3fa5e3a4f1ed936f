"""The expected time of a first deploy as text, and as a table of its critical path."""

from __future__ import annotations

from neuron_cluster.catalog.resource_duration import SecondsRange
from neuron_cluster.report.catalog_table import DOUBT_MARK
from neuron_cluster.table import Table
from neuron_cluster.timing.expected_time import ExpectedTime, PathStep

IN_SECONDS = 120
"""Times below this many seconds are shown in seconds, others in minutes."""
SOURCE = "`neuron-cluster catalog durations` has the time and the sources of each type"
NOT_INCLUDED = "Not included: uploads of files, change sets, and the checks before and after"


def range_text(seconds: SecondsRange) -> str:
    """``17 to 24 s``, ``9 to 14 min``, ``up to 4 min``."""
    if seconds.high < IN_SECONDS:
        low, high, unit = seconds.low, seconds.high, "s"
    else:
        low, high, unit = seconds.low // 60, -(-seconds.high // 60), "min"
    if low == high:
        return f"{high} {unit}"
    return f"{low} to {high} {unit}" if low else f"up to {high} {unit}"


def time_table(found: ExpectedTime, title: str) -> Table:
    """The critical path, in the order of time."""
    rows = tuple((_moment(step.begins), step.stack, step.type, _takes(step)) for step in found.path)
    note = f"Where everything takes its longest time. {SOURCE}."
    return Table(title, ("begins", "stack", "resource", "takes"), rows, note)


def time_lines(found: ExpectedTime) -> list[str]:
    """What the time does not include."""
    counted = ", ".join(f"{name} ({number})" if number > 1 else name for name, number in found.not_counted.items())
    lines = [f"{NOT_INCLUDED}."]
    return [*lines, f"Counted as no time, as no source has a figure: {counted}."] if counted else lines


def _moment(seconds: int) -> str:
    return f"{seconds} s" if seconds < IN_SECONDS else f"{seconds // 60} min"


def _takes(step: PathStep) -> str:
    return range_text(step.takes) + (DOUBT_MARK if step.is_doubtful else "")
