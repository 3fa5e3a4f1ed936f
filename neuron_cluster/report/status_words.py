"""Words for verdicts, moments and lengths of time, the same in the terminal and on a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from neuron_cluster.protocol.status import StatusLine, Verdict

WORDS = {
    Verdict.ERROR: "ERROR",
    Verdict.WARNING: "warning",
    Verdict.NOT_READ: "not read",
    Verdict.HEALTHY: "healthy",
}


def verdict_counts(lines: Iterable[StatusLine]) -> str:
    """``3 ERROR, 27 healthy``."""
    counts = Counter(line.verdict for line in lines)
    return ", ".join(f"{counts[verdict]} {WORDS[verdict]}" for verdict in Verdict if counts[verdict])


def moment(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def length(since: datetime, at: datetime) -> str:
    """``3 d 2 h``, ``5 h 10 min``, ``7 min``."""
    hours, minutes = divmod(max(0, int((at - since).total_seconds() // 60)), 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
