"""The images of a chart follow the switches in its values."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.software.chart_images import chart_images
from neuron_cluster.software.chart_set import EFA_CHART, NEURON_CHART

CATALOG = load_catalog()


def images(name: str, values: dict[str, Any], registry: str | None = "registry.example") -> list[str]:
    """Names and tags, without what stands before the last slash."""
    row = CATALOG.chart(name)
    assert row is not None
    chart = ChartPlan(("eks",), name, name, row.repository, row.version, row.namespace, values, 10)
    return [reference.rpartition("/")[2].partition(":")[0] for reference in chart_images(chart, row, registry)]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, ["neuron-device-plugin", "node-problem-detector"]),
        ({"npd": {"enabled": False}}, ["neuron-device-plugin"]),
        ({"npd": {"enabled": False, "nodeRecovery": {"enabled": True}}}, ["neuron-device-plugin"]),
        ({"npd": {"nodeRecovery": {"enabled": True}}}, ["neuron-device-plugin", "neuron-node-recovery",
                                                        "node-problem-detector"]),
        ({"npd": {"enabled": True}}, ["neuron-device-plugin", "node-problem-detector"]),
        ({"devicePlugin": {"enabled": False}, "npd": {"enabled": False}, "draDriver": {"enabled": True}},
         ["neuron-dra-driver"]),
    ],
)  # fmt: skip
def test_the_nearest_switch_decides_and_an_outer_one_that_is_off_wins(
    values: dict[str, Any], expected: list[str]
) -> None:
    assert sorted(images(NEURON_CHART, values)) == sorted(expected)


def test_an_image_of_eks_is_named_in_the_registry_of_the_region() -> None:
    row = CATALOG.chart(EFA_CHART)
    assert row is not None
    chart = ChartPlan(("eks",), EFA_CHART, EFA_CHART, row.repository, row.version, row.namespace, {}, 10)
    (reference,) = chart_images(chart, row, "registry.example")
    assert reference.startswith("registry.example/eks/")
    assert chart_images(chart, row, None) == ()


def test_a_tag_in_the_values_wins() -> None:
    row = CATALOG.chart(NEURON_CHART)
    assert row is not None
    values = {"devicePlugin": {"image": {"tag": "9.9"}}, "npd": {"enabled": False}}
    chart = ChartPlan(("eks",), "neuron", NEURON_CHART, row.repository, row.version, row.namespace, values, 10)
    assert [reference.rpartition(":")[2] for reference in chart_images(chart, row, None)] == ["9.9"]
