"""A rehearsal as text: its outcome, then what happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.rehearsal.outcome import Outcome, Progress, Requests
from neuron_cluster.rehearsal.timeline import Event, Source, duration
from neuron_cluster.rehearsal.trainers import Trainer
from neuron_cluster.report.text_page import TextPage
from neuron_cluster.table import Table

TRAINERS = {
    Trainer.JAX: "a small JAX job on CPUs (gloo)",
    Trainer.PLAIN: "a program that computes nothing",
}
LONGEST_STEPS = 2
"""Steps that are a line of their own; more of them become one."""


def outcome_page(outcome: Outcome, workload: str, further: Sequence[tuple[str, str]] = ()) -> TextPage:
    """Returns the page of the outcome: the end, ``further`` facts, losses, restarts, and cost."""
    facts = (
        *further,
        *((("lost", _losses(outcome.progress)),) if outcome.progress is not None else ()),
        *((("requests", _requests(outcome.requests)),) if outcome.requests is not None else ()),
        *((f"fault {missed.fault}", f"did not happen: {missed.why}") for missed in outcome.missed_faults),
        ("restarts", f"{outcome.counted_restarts} counted, {outcome.uncounted_restarts} not counted"),
        ("instances", _instances(outcome)),
        *((("trainer", TRAINERS[outcome.trainer]),) if outcome.trainer is not None else ()),
        *((("files given", ", ".join(outcome.files)),) if outcome.files else ()),
        ("replaced programs", ", ".join(outcome.replaced_programs) or "none"),
        ("not modelled", ", ".join(outcome.not_modelled) or "nothing that this workload uses"),
    )
    lead = f"{outcome.ended} after {duration(outcome.seconds)}" + (f": {outcome.why}" if outcome.why else "")
    return TextPage(workload, lead, facts=facts)


def timeline_table(events: Sequence[Event]) -> Table:
    """A row for each event; steps that follow each other are one."""
    rows = tuple(
        (duration(event.at), event.source.value, event.subject, f"{event.reason} {event.message}".rstrip())
        for event in _folded(events)
    )
    return Table("timeline", ("time", "by", "subject", "event"), rows)


def _requests(requests: Requests) -> str:
    failed = f"{requests.failed} of {requests.sent} failed, in {_counted(requests.outages, 'outage')}"
    return f"{failed}, the longest {duration(requests.longest_outage)}" if requests.outages else failed


def _losses(progress: Progress) -> str:
    repeated = f"{_counted(progress.repeated_steps, 'step')} computed again, of {progress.steps}"
    lost = progress.lost_checkpoints
    return f"{repeated}; {_counted(lost, 'checkpoint') if lost else 'no checkpoint'} of {progress.checkpoints}"


def _instances(outcome: Outcome) -> str:
    price = "price not known" if outcome.usd is None else f"${outcome.usd:,.2f} at the reference on-demand price"
    return f"{len(outcome.nodes)}, {outcome.node_hours:.1f} hours in all, {price}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _folded(events: Sequence[Event]) -> Iterator[Event]:
    """The first and the last of consecutive steps, as one event."""
    steps: list[Event] = []
    for event in (*events, None):
        if event is not None and event.source is Source.PROGRAM and event.reason == "Step":
            steps.append(event)
            continue
        if len(steps) < LONGEST_STEPS:
            yield from steps
        else:
            first, last = (each.message.removeprefix("step ") for each in (steps[0], steps[-1]))
            yield Event(steps[-1].at, Source.PROGRAM, steps[-1].subject, "Steps", f"{first} to {last}")
        steps = []
        if event is not None:
            yield event
