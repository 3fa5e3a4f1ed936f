"""The expected time of a first deploy as text, and as a table of its critical path."""

from __future__ import annotations

from neuron_cluster.report.catalog_table import DOUBT_MARK
from neuron_cluster.table import Table
from neuron_cluster.timing.expected_time import ExpectedTime, PathStep
from neuron_cluster.timing.time_text import IN_SECONDS, range_text

SOURCE = "`neuron-cluster catalog durations` has the time and the sources of each type"
NOT_INCLUDED = "Not included: uploads of files, change sets, and the checks before and after"


def time_table(found: ExpectedTime, title: str) -> Table:
    """The critical path, in the order of time."""
    rows = tuple((_moment(step.begins), step.stack, step.type, _takes(step)) for step in found.path)
    note = f"Where everything takes its longest time. {SOURCE}."
    return Table(title, ("begins", "stack", "resource", "takes"), rows, note)


def time_lines(found: ExpectedTime) -> list[str]:
    """Lines about all that the time does not include."""
    counted = ", ".join(f"{name} ({number})" if number > 1 else name for name, number in found.not_counted.items())
    lines = [f"{NOT_INCLUDED}."]
    return [*lines, f"Counted as no time, as no source has a figure: {counted}."] if counted else lines


def _moment(seconds: int) -> str:
    return f"{seconds} s" if seconds < IN_SECONDS else f"{seconds // 60} min"


def _takes(step: PathStep) -> str:
    return range_text(step.takes) + (DOUBT_MARK if step.is_doubtful else "")
