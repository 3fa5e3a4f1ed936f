"""What charts promise under the faults of a rehearsal: ``charts/CHART/promises.yaml``, and its table in the README."""

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
    """Of one fault. None is no promise."""

    fault: str
    ends: str = COMPLETED
    counted: int | None = None
    again: int | None = None
    failed: int | None = None
    needs: str | None = None

    def broken(self, outcome: Outcome) -> Iterator[str]:
        """What the outcome shows against it."""
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


def promising_charts() -> list[str]:
    """Names of the charts that have the file."""
    return sorted(file.parent.name for file in CHARTS.glob("*/promises.yaml"))


def promises_of(chart: str) -> list[Promise]:
    """In the order of the file. Raises ValueError for an unknown field or fault."""
    rows: Any = yaml.safe_load((CHARTS / chart / "promises.yaml").read_text(encoding="utf-8"))
    promises = msgspec.convert(rows, list[Promise])
    for promise in promises:
        if promise.fault not in {NONE, *FAULTS}:
            raise ValueError(f"{chart}: {promise.fault} is not a fault")
    return promises


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
    return FAULTS[promise.fault].summary + (f" (with a {promise.needs})" if promise.needs else "")


def _cell(promise: Promise, name: str) -> str:
    value: Mapping[str, Any] = msgspec.structs.asdict(promise)
    found = value[name]
    if found is None:
        return "-"
    return str(found) if name == "ends" or found == 0 else f"at most {found}"
