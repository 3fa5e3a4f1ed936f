"""The images of a chart follow the switches in its values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.plan.chart_images import chart_images
from neuron_cluster.plan.cluster_plan import ClusterPlan

CATALOG = load_catalog()
SHIPPED = tuple(sorted(file.stem for file in (Path(__file__).parents[6] / "environments").glob("*.yaml")))
NEURON_CHART, EFA_CHART = "neuron-helm-chart", "aws-efa-k8s-device-plugin"


def known(name: str) -> Chart:
    row = CATALOG.charts.get(name)
    assert row is not None
    return row


def references(name: str, values: dict[str, Any], registry: str | None = "registry.example") -> tuple[str, ...]:
    row = known(name)
    chart = ChartPlan(("eks",), name, name, row.repository, row.version, row.namespace, values, 10)
    return chart_images(chart, row, registry)


def images(name: str, values: dict[str, Any]) -> list[str]:
    """Names, without what stands before the last slash and without tags."""
    return [reference.rpartition("/")[2].partition(":")[0] for reference in references(name, values)]


def nested(path: str, value: Any) -> dict[str, Any]:
    for part in reversed(path.split(".")):
        value = {part: value}
    return value


DETECTOR = ["neuron-node-recovery", "node-problem-detector"]
"""The container of the recovery runs next to the detector, also where recovery is off."""


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, ["neuron-device-plugin", *DETECTOR]),
        ({"npd": {"enabled": False}}, ["neuron-device-plugin"]),
        ({"npd": {"enabled": False, "nodeRecovery": {"enabled": True}}}, ["neuron-device-plugin"]),
        ({"npd": {"enabled": True, "nodeRecovery": {"enabled": False}}}, ["neuron-device-plugin", *DETECTOR]),
        ({"devicePlugin": {"enabled": False}, "npd": {"enabled": False}, "draDriver": {"enabled": True}},
         ["neuron-dra-driver"]),
        ({"npd": {"enabled": False}, "scheduler": {"enabled": True}},
         ["kube-scheduler", "neuron-device-plugin", "neuron-scheduler"]),
    ],
)  # fmt: skip
def test_what_the_switches_turn_on_is_run(values: dict[str, Any], expected: list[str]) -> None:
    assert sorted(images(NEURON_CHART, values)) == sorted(expected)


def test_a_switch_that_stands_apart_from_the_image_counts_too() -> None:
    assert "node-exporter" in images("kube-prometheus-stack", {})
    assert "node-exporter" not in images("kube-prometheus-stack", {"nodeExporter": {"enabled": False}})


def test_an_image_of_eks_is_named_in_the_registry_of_the_region() -> None:
    (reference,) = references(EFA_CHART, {})
    assert reference.startswith("registry.example/eks/")
    assert references(EFA_CHART, {}, None) == ()


def test_a_repository_in_the_values_takes_the_place_of_the_registry_of_eks() -> None:
    (reference,) = references(EFA_CHART, {"image": {"repository": "mirror.example/efa"}}, None)
    assert reference.startswith("mirror.example/efa:")


def test_a_tag_in_the_values_wins() -> None:
    values = {"devicePlugin": {"image": {"tag": "9.9"}}, "npd": {"enabled": False}}
    assert [reference.rpartition(":")[2] for reference in references(NEURON_CHART, values)] == ["9.9"]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_image_of_every_environment_is_one_that_the_values_name(
    name: str, plan_of: Callable[[str], ClusterPlan]
) -> None:
    """The Region's registry of `images` is in helm's values too, or the chart uses its own default."""
    plan = plan_of(name)
    region = CATALOG.regions.get(plan.region)
    assert region is not None
    assert region.eks_image_registry is not None
    for chart in plan.kubernetes.charts if plan.kubernetes is not None else ():
        row = CATALOG.charts.get(chart.chart)
        if row is not None:
            assert chart_images(chart, row, region.eks_image_registry) == chart_images(chart, row, None)


@pytest.mark.parametrize("row", CATALOG.charts.rows, ids=lambda row: row.name)
def test_what_is_set_for_a_mirror_is_what_is_pulled(row: Chart) -> None:
    for image in row.images:
        values: dict[str, Any] = {}
        for path, value in {**dict.fromkeys(image.switches, True), **image.values_for("mirror.example/team/x")}.items():
            _merge(values, nested(path, value))
        assert f"mirror.example/team/x:{image.tag}" in references(row.name, values)


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value
