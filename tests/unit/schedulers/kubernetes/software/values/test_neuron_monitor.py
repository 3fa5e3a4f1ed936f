"""The model of our own chart's values has the keys and kinds of its schema, no more and no fewer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from neuron_cluster.schedulers.kubernetes.software.values.model import value_paths
from neuron_cluster.schedulers.kubernetes.software.values.neuron_monitor import NeuronMonitorValues

CHART = Path(__file__).parents[6] / "charts" / "neuron-monitor"
SCHEMA = json.loads((CHART / "values.schema.json").read_text())


def paths_of(schema: Mapping[str, Any], above: str = "") -> set[str]:
    """Dotted paths of the leaves; what takes any keys is one."""
    found: set[str] = set()
    for key, part in schema["properties"].items():
        below = SCHEMA["$defs"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part
        found |= paths_of(below, f"{above}{key}.") if "properties" in below else {f"{above}{key}"}
    return found


def test_the_model_writes_the_keys_of_the_schema() -> None:
    assert set(value_paths(NeuronMonitorValues)) == paths_of(SCHEMA)


@pytest.mark.parametrize("metrics", ["cloudwatch", "prometheus"])
def test_what_an_environment_gives_is_accepted_by_the_chart(plan_of: Any, metrics: str) -> None:
    edits = {"eks.addons.neuron_monitor": True, "eks.addons.kube_prometheus_stack": metrics == "prometheus"}
    (chart,) = [each for each in plan_of("train-trn1", edits).kubernetes.charts if each.release == "neuron-monitor"]
    jsonschema.validate(dict(chart.values), SCHEMA)
    assert chart.values["podMonitor"]["enabled"] is (metrics == "prometheus")
