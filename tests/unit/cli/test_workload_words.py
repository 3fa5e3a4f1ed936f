"""Findings of `workload render` about replicas, model names and values of another kind; its hints lead out."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from .conftest import PROJECT, Command, Ran

pytestmark = pytest.mark.slow
SERVING = ("workload", "render", "neuron-serving")
KEDA = ("--set", "autoscaling.enabled=true", "--set", "podMonitor.enabled=true")


@pytest.fixture
def scaling(tmp_path: Path) -> Path:
    """train-trn2 (at most 4 nodes) with KEDA and Prometheus."""
    body = yaml.safe_load((PROJECT / "environments" / "train-trn2.yaml").read_text())
    body["eks"]["addons"] = {**body["eks"].get("addons", {}), "keda": True, "kube_prometheus_stack": True}
    file = tmp_path / "train-trn2.yaml"
    file.write_text(yaml.safe_dump(body))
    return file


def findings(ran: Ran, *ids: str) -> list[dict[str, str]]:
    return [each for each in ran.document["findings"] if each["id"] in ids]


def test_more_replicas_than_the_nodes_take_at_most_are_refused(scaling: Path, command: Command) -> None:
    render = (*SERVING, str(scaling), "--claim", "c", *KEDA, "--format", "json")
    [finding] = findings(command(*render, "--set", "autoscaling.maxReplicas=50"), "E9211")
    assert "50 pods" in finding["message"]
    assert findings(command(*render, "--set", "autoscaling.maxReplicas=4"), "E9211") == []


def test_a_number_where_text_is_wanted_gets_a_way_to_write_it(command: Command) -> None:
    render = (*SERVING, "train-trn2", "--claim", "c", "--format", "json")
    [finding] = findings(command(*render, "--set", "machine.cpu=100"), "E9213")
    way = re.search(r"--set '[^']*'", finding["hint"])
    assert way is not None
    assert findings(command(*render, *shlex.split(way[0])), "E9213") == []


def test_a_model_under_another_name_with_the_default_folder_is_named(command: Command) -> None:
    render = (*SERVING, "train-trn2", "--claim", "c", "--format", "json", "--set", "model.name=llama-3.1-70b")
    [finding] = findings(command(*render), "W9245")
    assert finding["path"] == "weights.path"
    assert findings(command(*render, "--set", "weights.path=llama-3.1-70b"), "W9245") == []
    assert findings(command(*render, "--set", "weights.path="), "W9245") == []


def test_validate_takes_the_lock_of_the_local_aws_on_demand(command: Command) -> None:
    assert command("validate", "dev-inf2", "--local").status == 0
    assert "--local" in command("validate", "--help").out
