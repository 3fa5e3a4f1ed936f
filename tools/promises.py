"""Promises of charts under the faults of a rehearsal: ``charts/CHART/promises.yaml``, and its table in the README."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec import Struct

from neuron_cluster.rehearsal.faults import FAULTS
from neuron_cluster.rehearsal.outcome import COMPLETED, Outcome

CHARTS = Path(__file__).parents[1] / "charts"
NONE = "none"
"""Instead of a fault: what a rehearsal without one shows."""
BEGIN, END = "<!-- promises.yaml, by tools/write_promises.py -->", "<!-- end of promises.yaml -->"
WORDS = {
    "ends": "ends",
    "counted": "restarts that count",
    "again": "steps computed again",
    "failed": "failed requests",
}


class Promise(Struct, frozen=True, forbid_unknown_fields=True):
    """The promise under one fault. None is no promise."""

    fault: str
    happens: bool = True
    """Whether the fault can happen to the chart: a Job has no Deployment to update."""
    ends: str = COMPLETED
    counted: int | None = None
    again: int | None = None
    failed: int | None = None
    needs: str | None = None
    """queue: only in an environment with Kueue; device: where the pods request Neuron devices."""

    def broken(self, outcome: Outcome) -> Iterator[str]:
        """Yields the parts of the outcome that break the promise."""
        if not self.happens:
            if not outcome.missed_faults:
                yield "it happened"
            return
        yield from (f"{missed.fault} did not happen: {missed.why}" for missed in outcome.missed_faults)
        if outcome.ended != self.ends:
            yield f"it ended {outcome.ended}: {outcome.why}"
        if self.counted is not None and outcome.counted_restarts > self.counted:
            yield f"{outcome.counted_restarts} restarts were counted"
        if outcome.progress is not None:
            if outcome.progress.lost_checkpoints:
                yield f"{outcome.progress.lost_checkpoints} checkpoints were lost"
            if self.again is not None and outcome.progress.most_repeated_steps > self.again:
                yield f"{outcome.progress.most_repeated_steps} steps were computed again after one restart"
        if self.failed is not None and (outcome.requests is None or outcome.requests.failed > self.failed):
            yield f"{outcome.requests.failed if outcome.requests else 'all'} requests failed"


class Promises(Struct, frozen=True, forbid_unknown_fields=True):
    """The promises of one chart, and how they are rehearsed."""

    options: tuple[str, ...]
    """Options of ``neuron-cluster workload rehearse``."""
    promises: tuple[Promise, ...]
    own_options: dict[str, tuple[str, ...]] = {}
    """Instead, by environment."""
    not_promised: dict[str, tuple[str, ...]] = {}
    """Fields of promises that do not hold with the options of an environment."""
    cannot_happen: dict[str, tuple[str, ...]] = {}
    """Faults that cannot happen with the options of an environment: to a workload without devices, or in no queue."""
    own_promises: dict[str, tuple[Promise, ...]] = {}
    """Promises of an environment, in the place of those for the same faults."""
    moment: str | None = None
    """When faults happen, but those at the start; None: as a rehearsal without a time has it."""
    environment: dict[str, dict[str, Any]] = {}
    """Keys that the environment file then has: the chart is a component, and no shipped file enables it."""
    cannot_run: tuple[str, ...] = ()
    """Environments without its controller, without a fitting group, or for planning only."""

    def options_in(self, environment: str) -> tuple[str, ...]:
        return self.own_options.get(environment, self.options)

    def fault_of(self, promise: Promise) -> tuple[str, ...]:
        """Options that cause its fault."""
        if promise.fault == NONE:
            return ()
        has_moment = self.moment is not None and not FAULTS[promise.fault].at_start
        return "--fault", f"{promise.fault}@{self.moment}" if has_moment else promise.fault

    def hold_in(self, environment: str) -> Iterator[Promise]:
        """The promises, without the fields that do not hold there."""
        nothing: dict[str, Any] = dict.fromkeys(self.not_promised.get(environment, ()))
        absent = self.cannot_happen.get(environment, ())
        own = {promise.fault: promise for promise in self.own_promises.get(environment, ())}
        for promise in self.promises:
            happens = promise.happens and promise.fault not in absent
            yield own.get(promise.fault) or msgspec.structs.replace(promise, happens=happens, **nothing)


def promising_charts() -> list[str]:
    """Names of the charts that have the file."""
    return sorted(file.parent.name for file in CHARTS.glob("*/promises.yaml"))


def promises_of(chart: str) -> Promises:
    """From the file of the chart. Raises ValueError for an unknown field or fault."""
    body: Any = yaml.safe_load((CHARTS / chart / "promises.yaml").read_text(encoding="utf-8"))
    found = msgspec.convert(body, Promises)
    for promise in found.promises:
        if promise.fault not in {NONE, *FAULTS}:
            raise ValueError(f"{chart}: {promise.fault} is not a fault")
    return found


def with_table(readme: str, promises: Sequence[Promise]) -> str:
    """The README with a new table between its two comments."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table(promises)}\n{END}{after}"


def table(promises: Sequence[Promise]) -> str:
    shown = [name for name in WORDS if any(getattr(promise, name) is not None for promise in promises)]
    head = ["fault", "what happens", *(WORDS[name] for name in shown)]
    rows = [
        [f"`{promise.fault}`", _summary(promise), *(_cell(promise, name) for name in shown)] for promise in promises
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def _summary(promise: Promise) -> str:
    if promise.fault == NONE:
        return "nothing"
    if not promise.happens:
        return "cannot happen"
    return FAULTS[promise.fault].summary + (f" (with a {promise.needs})" if promise.needs else "")


def _cell(promise: Promise, name: str) -> str:
    value: Mapping[str, Any] = msgspec.structs.asdict(promise)
    found = value[name] if promise.happens else None
    if found is None:
        return "-"
    return str(found) if name == "ends" or found == 0 else f"at most {found}"
