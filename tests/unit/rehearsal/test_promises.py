"""Promises of charts for each fault are those of their READMEs."""

from __future__ import annotations

import pytest
from promises import BEGIN, CHARTS, NONE, Promise, Promises, promises_of, promising_charts, with_table

from neuron_cluster.rehearsal.faults import FAULTS
from neuron_cluster.rehearsal.outcome import MissedFault, Outcome, Progress, Requests
from tests.every_case import every_case


@every_case("chart", promising_charts())
def test_the_table_of_the_readme_is_that_of_the_file(chart: str) -> None:
    readme = (CHARTS / chart / "README.md").read_text(encoding="utf-8")
    assert BEGIN in readme
    assert with_table(readme, promises_of(chart).promises) == readme, "run python tools/write_promises.py"


@every_case("chart", promising_charts())
def test_a_chart_has_a_row_for_each_fault(chart: str) -> None:
    faults = [promise.fault for promise in promises_of(chart).promises]
    assert sorted(faults) == sorted({NONE, *FAULTS})


def test_every_fault_is_promised_by_some_chart() -> None:
    promised = [promise for chart in promising_charts() for promise in promises_of(chart).promises]
    assert {promise.fault for promise in promised if promise.happens} == {NONE, *FAULTS}


def test_a_fault_that_cannot_happen_is_missed() -> None:
    promise = Promise("server-updated", happens=False)
    missed = (MissedFault("server-updated", "no Deployment"),)
    assert list(promise.broken(_outcome(missed_faults=missed))) == []
    assert list(promise.broken(_outcome())) == ["it happened"]


def test_faults_happen_at_the_moment_of_the_file_but_for_those_at_the_start() -> None:
    promises = Promises(options=(), promises=(), moment="300s")
    assert promises.fault_of(Promise("node-lost")) == ("--fault", "node-lost@300s")
    assert promises.fault_of(Promise("node-late")) == ("--fault", "node-late")
    assert promises.fault_of(Promise(NONE)) == ()


def _outcome(**changes: object) -> Outcome:
    values: dict[str, object] = {
        "ended": "Completed",
        "why": "",
        "seconds": 60.0,
        "progress": Progress(30, 0, 0, 6, 0),
        "requests": Requests(100, 2, 1, 20.0),
        "counted_restarts": 1,
        "uncounted_restarts": 2,
        "nodes": (),
        "usd": None,
        "events": (),
        "not_modelled": (),
        **changes,
    }
    return Outcome(**values)  # type: ignore[arg-type]


KEPT = Promise("node-lost", counted=1, again=5, failed=2)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, ""),
        ({"ended": "Failed", "why": "maxRestarts"}, "it ended Failed: maxRestarts"),
        ({"counted_restarts": 2}, "2 restarts were counted"),
        ({"progress": Progress(30, 6, 6, 6, 0)}, "6 steps were computed again after one restart"),
        ({"progress": Progress(30, 0, 0, 6, 1)}, "1 checkpoints were lost"),
        ({"requests": Requests(100, 3, 1, 30.0)}, "3 requests failed"),
        ({"requests": None}, "all requests failed"),
        ({"missed_faults": (MissedFault("node-lost", "no pod was Ready"),)}, "node-lost did not happen"),
    ],
)
def test_a_broken_promise_is_named(changes: dict[str, object], text: str) -> None:
    found = list(KEPT.broken(_outcome(**changes)))
    assert len(found) == bool(text)
    assert text in "".join(found)
