"""neuron-explorer: what its pods are told, and when a capture runs again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from bundled_charts import CHARTS, BundledChart
from renders import Renders, newest_helm

from local_kubernetes.model.chart_values import merged

pytestmark = pytest.mark.slow
EXPLORER = BundledChart(CHARTS / "neuron-explorer")


def rendered(renders: Renders, capture: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The objects by their kind."""
    values = merged(EXPLORER.values("capture-workload-to-s3"), {"capture": capture})
    return {body["kind"]: body for body in renders.of_values(EXPLORER, values, newest_helm())}


def test_the_viewer_has_every_module_of_its_program(renders: Renders) -> None:
    files = {path.name for path in (EXPLORER.folder / "files").glob("*.py")}
    assert set(rendered(renders, {})["ConfigMap"]["data"]) == files


def test_names_of_the_framework_are_asked_for_in_a_capture_of_its_own(renders: Renders) -> None:
    """Graphs with names are other graphs, so they are compiled: a value that changes nothing makes no other Job."""
    usual, named = (rendered(renders, {"frameworkNames": asked})["Job"] for asked in (False, True))
    (container,) = named["spec"]["template"]["spec"]["containers"]
    assert {"name": "XLA_IR_DEBUG", "value": "1"} in container["env"]
    assert "XLA_" not in str(usual)
    assert usual["metadata"]["name"] != named["metadata"]["name"]
