"""Bundled charts on instance groups of HyperPod, whose failed nodes HyperPod replaces."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cli.main import main
from neuron_cluster.rehearsal import namespaces
from tests.every_case import every_case

pytestmark = pytest.mark.skipif(
    namespaces.why_unsupported() is not None, reason="this machine lets no user create namespaces"
)

ROOT = Path(__file__).parents[2]
NAME, NODES = "hyperpod-trn2", 4
SHORT = ("--time", "image_pull=60", "--compile-seconds", "60", "--claim", "lustre", "--format", "json")
CHECKED = ("      queue: training\n", "      queue: training\n      deep_health_checks: [instance_stress]\n")
NOT_REPAIRED = ("node_recovery: automatic", "node_recovery: none")
CHECK_SECONDS = load_catalog().controller_timings.by_name["hyperpod_deep_health_checks"].seconds


def _rehearse(folder: Path, chart: str, *options: str, edits: tuple[tuple[str, str], ...] = ()) -> Mapping[str, Any]:
    text = (ROOT / "environments" / f"{NAME}.yaml").read_text(encoding="utf-8")
    for old, new in edits:
        assert text.count(old) == 1
        text = text.replace(old, new)
    file = folder / f"{NAME}.yaml"
    file.write_text(text, encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        main(["workload", "rehearse", chart, str(file), "--project", str(ROOT), *SHORT, *options])
    found: Mapping[str, Any] = json.loads(printed.getvalue())
    return found


def _at(outcome: Mapping[str, Any], reason: str) -> list[float]:
    return [event["at"] for event in outcome["events"] if event["reason"] == reason]


def _train(folder: Path, fault: str, *options: str, edits: tuple[tuple[str, str], ...] = ()) -> Mapping[str, Any]:
    settings = ("--nodes", str(NODES), "--trainer", "plain", "--fault", fault, *options)
    return _rehearse(folder, "neuron-training", *settings, edits=edits)


@pytest.mark.slow
def test_a_training_goes_on_from_its_checkpoint_on_the_node_that_hyperpod_starts(tmp_path: Path) -> None:
    outcome = _train(tmp_path, "node-lost")
    assert (outcome["ended"], outcome["missed_faults"], outcome["counted_restarts"]) == ("Completed", [], 0)
    assert outcome["progress"]["steps"] == 30
    assert outcome["progress"]["most_repeated_steps"] <= 5
    assert len(_at(outcome, "Launched")) == 1


@pytest.mark.exhaustive
@every_case("fault", ["node-lost", "device-error"])
def test_a_training_waits_for_the_deep_health_checks_of_the_new_node(fault: str, tmp_path: Path) -> None:
    outcome = _train(tmp_path, fault, "--limit", "5", edits=(CHECKED,))
    assert (outcome["ended"], outcome["missed_faults"]) == ("Completed", [])
    (ready,), (schedulable,) = _at(outcome, "DeepHealthChecks"), _at(outcome, "Schedulable")
    assert schedulable - ready == pytest.approx(CHECK_SECONDS, abs=60)
    assert max(_at(outcome, "Resumed")) > schedulable


@pytest.mark.exhaustive
def test_a_training_does_not_end_where_node_recovery_is_off(tmp_path: Path) -> None:
    outcome = _train(tmp_path, "node-lost", "--limit", "2", edits=(NOT_REPAIRED,))
    assert outcome["ended"] != "Completed"
    assert (len(_at(outcome, "NotReplaced")), _at(outcome, "Launched")) == (1, [])


@pytest.mark.exhaustive
def test_a_server_on_a_lost_node_starts_on_another_without_compiling_again(tmp_path: Path) -> None:
    outcome = _rehearse(tmp_path, "neuron-serving", "--set", "replicas=2", "--fault", "node-lost")
    assert (outcome["ended"], outcome["missed_faults"]) == ("Completed", [])
    assert [at for at in _at(outcome, "Compiling") if at > outcome["seconds"] / 2] == []
    assert len(_at(outcome, "Launched")) == 1
