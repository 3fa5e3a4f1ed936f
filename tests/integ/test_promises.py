"""Promises of charts for each fault, rehearsed in each shipped environment that runs them."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from merged_text import merged_text
from promises import Promise, promises_of, promising_charts

from local_kubernetes.model.chart_values import merged
from neuron_cluster.cli.main import main
from neuron_cluster.rehearsal import namespaces
from neuron_cluster.rehearsal.outcome import Outcome
from tests.existing_vpc import write_lock_of

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(namespaces.why_unsupported() is not None, reason="this machine lets no user create namespaces"),
]

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = sorted(file.stem for file in (ROOT / "environments").glob("*.yaml"))


def _file(chart: str, environment: str, folder: Path) -> str:
    """The environment, with the keys that the chart needs in the sections that it has."""
    needed = promises_of(chart).environment
    if not needed:
        return environment
    body = _environment(environment)
    sections = {name: merged(body[name], value) for name, value in needed.items() if name in body}
    file = folder / f"{environment}.yaml"
    file.write_text(yaml.safe_dump({**body, **sections}, sort_keys=False), encoding="utf-8")
    if "existing" in body["network"]:
        write_lock_of(file, body)
    return str(file)


def _command(chart: str, environment: str, folder: Path, *arguments: str) -> list[str]:
    options = promises_of(chart).options_in(environment)
    return [
        *("workload", "rehearse", chart, _file(chart, environment, folder), "--project", str(ROOT), "--format", "json"),
        *(*options, *arguments),
    ]


def _promises(chart: str, environment: str) -> Iterator[Promise]:
    for promise in promises_of(chart).hold_in(environment):
        if promise.needs != "queue" or _has_queue(environment):
            yield promise


def _rehearsed() -> Iterator[tuple[str, str]]:
    for chart in promising_charts():
        for environment in ENVIRONMENTS:
            if environment not in _cannot_run(chart):
                yield chart, environment


def _cannot_run(chart: str) -> list[str]:
    """Environments that its promises name, and those without Kubernetes, which run no chart."""
    without = {name for name in ENVIRONMENTS if "eks" not in _environment(name)}
    return sorted({*promises_of(chart).cannot_run, *without})


def _has_queue(environment: str) -> bool:
    body = _environment(environment)
    hyperpod = body.get("hyperpod", {})
    groups = (*body["eks"]["node_groups"], *hyperpod.get("groups", ()))
    return "task_governance" in hyperpod or any("queue" in group for group in groups)


@functools.cache
def _environment(name: str) -> Any:
    return yaml.safe_load(merged_text(ROOT / "environments" / f"{name}.yaml"))


def _broken(
    chart: str, environment: str, promise: Promise, folder: Path, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    main(_command(chart, environment, folder, *promises_of(chart).fault_of(promise)))
    printed = json.loads(capsys.readouterr().out)
    outcome = msgspec.convert({key: value for key, value in printed.items() if key != "workload"}, Outcome)
    return [f"{promise.fault}: {text}" for text in promise.broken(outcome)]


@pytest.mark.parametrize(("chart", "environment"), list(_rehearsed()))
def test_a_chart_keeps_its_promises(
    chart: str, environment: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = (_broken(chart, environment, promise, tmp_path, capsys) for promise in _promises(chart, environment))
    assert [text for found in broken for text in found] == []


@pytest.mark.parametrize(
    ("chart", "environment"),
    [(chart, environment) for chart in promising_charts() for environment in _cannot_run(chart)],
)
def test_where_a_chart_cannot_run_the_rehearsal_says_why(
    chart: str, environment: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(_command(chart, environment, tmp_path)) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert "error" in {found["severity"] for found in findings}
