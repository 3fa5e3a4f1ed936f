"""Why a workload does not run, as text and as data."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import to_builtins

from neuron_cluster.report.text_page import Pairs, TextPage
from neuron_cluster.schedulers.kubernetes.running.cause import Cause
from neuron_cluster.schedulers.kubernetes.running.diagnosis import Diagnosis, SeenEvent
from neuron_cluster.schedulers.kubernetes.running.status_page import age


def diagnosis_page(diagnosis: Diagnosis, heading: str, now: datetime | None = None) -> TextPage:
    """The causes, the first one first; without one, what was looked at. ``now`` is None for a rehearsal."""
    looked_at = ", ".join(f"{count} {kind}" for kind, count in sorted(diagnosis.looked_at.items())) or "nothing"
    facts = (("looked at", looked_at), *(("may not be read", text) for text in diagnosis.forbidden))
    events = (("last events", tuple(map(_event, diagnosis.events))),) if diagnosis.events else ()
    causes = tuple((_title(number, cause), _lines(cause, now)) for number, cause in enumerate(diagnosis.causes, 1))
    return TextPage(f"{heading}: {diagnosis.state}", _lead(diagnosis), lists=(*causes, *events, ("", facts)))


def diagnosis_data(diagnosis: Diagnosis) -> dict[str, Any]:
    """The same for programs."""
    data: dict[str, Any] = to_builtins(diagnosis)
    return data


def _lead(diagnosis: Diagnosis) -> str:
    if diagnosis.causes:
        others = len(diagnosis.causes) - 1
        more = f" ({others} more below)" if others else ""
        return f"First cause{more}: {diagnosis.causes[0].means}."
    match diagnosis.state:
        case "running":
            return "Nothing is wrong: all pods are Ready."
        case "completed":
            return "Nothing is wrong: it ended as it should."
    return "No cause was found in the objects that were read."


def _event(event: SeenEvent) -> tuple[str, str]:
    return event.about, f"{event.at or ''} {event.words}".strip()


def _title(number: int, cause: Cause) -> str:
    """``1. queue: Workload jobset-llama``."""
    others = f" and {cause.count - 1} more" if cause.count > 1 else ""
    return f"{number}. {cause.stage}: {cause.about}{others}"


def _lines(cause: Cause, now: datetime | None) -> Pairs:
    since = (("since", _since(cause.since, now)),) if cause.since else ()
    do = tuple(("do" if number == 0 else "", text) for number, text in enumerate(cause.do))
    return (("seen", cause.seen), *since, ("means", cause.means), *do)


def _since(moment: str, now: datetime | None) -> str:
    """``2026-11-26T11:40:00Z (20 min)``."""
    return moment if now is None else f"{moment} ({age((now - datetime.fromisoformat(moment)).total_seconds())})"
