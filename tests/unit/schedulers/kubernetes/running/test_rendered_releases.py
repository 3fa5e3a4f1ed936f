"""The objects that charts render are found as a release, with their pods, claims and queue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from local_kubernetes.model.fields import text_pairs
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.kube.helm import Helm
from neuron_cluster.schedulers.kubernetes.running.cluster_state import ClusterState
from neuron_cluster.schedulers.kubernetes.running.controller_kind import expected_pods
from neuron_cluster.schedulers.kubernetes.running.release import CHART_LABEL, INSTANCE_LABEL, Release, releases_in
from neuron_cluster.schedulers.kubernetes.workloads.recipes import RECIPES

from .observed import NOW

CHARTS = Path(__file__).parents[5] / "charts"
EXAMPLES = sorted(file for chart in RECIPES for file in CHARTS.glob(f"{chart}/examples/*.yaml"))


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: f"{file.parts[-3]}/{file.stem}")
def test_an_example_is_one_release(example: Path, kept_helm: Callable[[str], Helm]) -> None:
    values = yaml.safe_load(example.read_text()) or {}
    release = released(example.parents[1], values, kept_helm)
    assert release.chart == example.parts[-3]
    own = {CHART_LABEL: release.chart, INSTANCE_LABEL: release.name}
    assert release.templates
    assert all(own.items() <= text_pairs(template.labels).items() for template in release.templates)
    is_scheduled = {body["kind"] for body in release.controllers} == {"CronJob"}
    assert is_scheduled or sum(map(expected_pods, release.controllers)) >= 1
    assert release.queue == (values.get("queue") or {}).get("name", "")


def released(chart: Path, values: Mapping[str, Any], kept_helm: Callable[[str], Helm]) -> Release:
    layer = load_catalog().kubernetes_versions["1.35"].kubectl_layer
    assert layer is not None
    objects = kept_helm(layer.package).template(chart, "llama", "team-a", values, "1.35")
    placed = [{**body, "metadata": {"namespace": "team-a", **body["metadata"]}} for body in objects]
    [release] = releases_in(ClusterState(tuple(placed), NOW), RECIPES.keys())
    return release
