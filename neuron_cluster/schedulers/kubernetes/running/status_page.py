"""The status of a workload, on one screen."""

from __future__ import annotations

from collections import Counter

from neuron_cluster.report.text_page import TextPage
from neuron_cluster.schedulers.kubernetes.running.status import Admission, ReleaseStatus

MINUTE, HOUR, DAY = 60, 3600, 86400


def status_page(status: ReleaseStatus, heading: str) -> TextPage:
    """Only what the release has: a server has no steps, a job without a queue no admission."""
    progress = status.progress
    facts = (
        ("age", age(status.age_seconds)),
        *((("queue", _admission(status.admission)),) if status.admission is not None else ()),
        ("pods", _pods(status)),
        ("nodes", _nodes(status)),
        ("attempt", _attempt(status)),
        *((("exit codes", _codes(status)),) if status.exit_codes else ()),
        *((("last step", str(progress.step)),) if progress is not None and progress.step is not None else ()),
        *((("last checkpoint", progress.checkpoint),) if progress is not None and progress.checkpoint else ()),
        *((("last line", progress.last_line),) if progress is not None and progress.last_line else ()),
    )
    lead = f"Cause: {status.first_cause}. `workload why` shows more." if status.first_cause else ""
    return TextPage(f"{heading}: {status.state}", lead, facts=facts)


def age(seconds: float) -> str:
    """``20 min``."""
    for unit, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min")):
        if seconds >= 2 * unit:
            return f"{seconds // unit:.0f} {name}"
    return f"{max(seconds, 0):.0f} s"


def _attempt(status: ReleaseStatus) -> str:
    restarts = status.restarts
    return f"{status.attempt}; restarts: {restarts.counted} counted, {restarts.uncounted} not counted"


def _admission(admission: Admission) -> str:
    if admission.is_admitted:
        return f"{admission.queue}, admitted" + (f" since {admission.since}" if admission.since else "")
    place = f", position {admission.position + 1}" if admission.position is not None else ""
    pending = f" of {admission.pending} that wait" if admission.pending else ""
    return f"{admission.queue}, not admitted{place}{pending}"


def _pods(status: ReleaseStatus) -> str:
    found = ", ".join(f"{count} {state}" for state, count in sorted(status.pods.items()))
    return f"{found or 'none'}; {status.expected_pods} expected"


def _nodes(status: ReleaseStatus) -> str:
    types = Counter(each or "type not known" for each in status.nodes.values())
    names = ", ".join(status.nodes)
    return "; ".join(filter(None, [", ".join(f"{count} {name}" for name, count in types.items()), names])) or "none"


def _codes(status: ReleaseStatus) -> str:
    return ", ".join(f"{code} ({pod})" for pod, code in status.exit_codes.items())
