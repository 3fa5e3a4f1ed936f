"""The limits of the services, and how close an environment comes to each at its largest sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from neuron_cluster.plan.limit_use import LimitUse
from neuron_cluster.report.plain_data import plain
from neuron_cluster.table import Table

NOTE = (
    "At the maximum sizes of this environment only: the quotas of an account are shared with its other resources, and "
    "may differ from these defaults. ?: in doubt. >: at least. Adjustable: AWS raises it on request; advice: not "
    "enforced."
)


def scale_as_data(uses: Sequence[LimitUse]) -> list[dict[str, Any]]:
    """Returns the document of ``--format json``: every limit with its share (1.0: reached) and the rest of its row."""
    return [{**plain(use), "share": round(use.share, 4)} for use in uses]


def scale_table(uses: Sequence[LimitUse], title: str) -> Table:
    """The closest first, as ``uses`` come."""
    return Table(title, ("limit", "of", "used", "at most", "%", "adjustable"), tuple(map(_row, uses)), NOTE)


def source_lines(uses: Sequence[LimitUse]) -> list[str]:
    """Where each number can be read, one line for each source."""
    by_source: dict[str, list[str]] = {}
    for use in uses:
        names = by_source.setdefault(use.source, [])
        if use.name not in names:
            names.append(use.name)
    return [f"{source}: {', '.join(names)}" for source, names in by_source.items()]


def _row(use: LimitUse) -> tuple[str, ...]:
    minimum = ">" if use.is_least else ""
    doubt = " ?" if use.doubt else ""
    adjustable = "advice" if use.advice else "yes" if use.adjustable else "no"
    return (use.name, use.what, f"{minimum}{use.used:,}", f"{use.limit:,}{doubt}", f"{use.share:.0%}", adjustable)
