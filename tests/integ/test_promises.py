"""What the charts promise for each fault, rehearsed in each shipped environment that runs them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import yaml
from promises import NONE, Promise, promises_of, promising_charts

from neuron_cluster.cli.main import main
from neuron_cluster.rehearsal import namespaces
from neuron_cluster.rehearsal.outcome import Outcome

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(namespaces.why_unsupported() is not None, reason="this machine lets no user create namespaces"),
]

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = sorted(file.stem for file in (ROOT / "environments").glob("*.yaml"))
REFUSED = {
    "neuron-training": {"dev-inf2", "dev-trn2", "serve-inf1", "train-trn3", "workstation"},
    "neuron-serving": {"train-trn3", "workstation"},
}
"""Environments that cannot run the chart: without its controller, without a fitting group, or for planning only."""
SHORT = ("--claim", "lustre", "--time", "image_pull=60", "--compile-seconds", "60")
OPTIONS = {
    "neuron-training": ("--nodes", "2"),
    "neuron-serving": ("--set", "replicas=2", "--limit", "1"),
}
ONE_REPLICA = ("--limit", "1")
OWN_OPTIONS = {("neuron-training", "train-trn2u"): ("--nodes", "4"), ("neuron-serving", "dev-trn2"): ONE_REPLICA}
"""A whole UltraServer; the one replica that the group has a node for, without which all requests fail."""


def _command(chart: str, environment: str, *arguments: str) -> list[str]:
    return [
        *("workload", "rehearse", chart, environment, "--project", str(ROOT), "--format", "json"),
        *(*SHORT, *_options(chart, environment), *arguments),
    ]


def _options(chart: str, environment: str) -> tuple[str, ...]:
    return OWN_OPTIONS.get((chart, environment), OPTIONS[chart])


def _promises(chart: str, environment: str) -> Iterator[Promise]:
    """Those of the README, as far as they are about this environment: failed requests are those of two replicas."""
    for promise in promises_of(chart):
        if promise.needs != "queue" or _has_queue(environment):
            is_alone = _options(chart, environment) is ONE_REPLICA
            yield msgspec.structs.replace(promise, failed=None) if is_alone else promise


def _rehearsed() -> Iterator[tuple[str, str]]:
    for chart in promising_charts():
        for environment in ENVIRONMENTS:
            if environment not in REFUSED[chart]:
                yield chart, environment


def _has_queue(environment: str) -> bool:
    body = yaml.safe_load((ROOT / "environments" / f"{environment}.yaml").read_text(encoding="utf-8"))
    return any("queue" in group for group in body["eks"]["node_groups"])


def _broken(chart: str, environment: str, promise: Promise, capsys: pytest.CaptureFixture[str]) -> list[str]:
    fault = () if promise.fault == NONE else ("--fault", promise.fault)
    main(_command(chart, environment, *fault))
    printed = json.loads(capsys.readouterr().out)
    outcome = msgspec.convert({key: value for key, value in printed.items() if key != "workload"}, Outcome)
    return [f"{promise.fault}: {words}" for words in promise.broken(outcome)]


@pytest.mark.parametrize(("chart", "environment"), list(_rehearsed()))
def test_a_chart_keeps_its_promises(chart: str, environment: str, capsys: pytest.CaptureFixture[str]) -> None:
    broken = (_broken(chart, environment, promise, capsys) for promise in _promises(chart, environment))
    assert [words for found in broken for words in found] == []


@pytest.mark.parametrize(
    ("chart", "environment"),
    [(chart, environment) for chart in promising_charts() for environment in sorted(REFUSED[chart])],
)
def test_where_a_chart_cannot_run_the_rehearsal_says_why(
    chart: str, environment: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(_command(chart, environment)) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert "error" in {found["severity"] for found in findings}
