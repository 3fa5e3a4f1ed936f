"""Digests of a lock reach the values of charts that take one, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.kubernetes.chart_values import value_at
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.software.chart_values.image_sources import digests_in_values
from neuron_cluster.software.chart_values.images import images_of_chart

PlanOf = Callable[..., ClusterPlan]
DIGEST = f"sha256:{'0123456789abcdef' * 4}"
CATALOG = load_catalog()
EDITS = {"eks.addons.kube_prometheus_stack": True, "eks.addons.cert_manager": True, "observability": None}


def chart_of(plan: ClusterPlan, name: str) -> ChartPlan:
    assert plan.kubernetes is not None
    return next(chart for chart in plan.kubernetes.charts if chart.chart == name)


def locked(chart: ChartPlan) -> dict[str, str]:
    """Digests of all images of the chart, by dotted path, from a lock that has each."""
    region = CATALOG.region("us-west-2")
    assert region is not None
    digests = dict.fromkeys(images_of_chart(chart, CATALOG, region.eks_image_registry), DIGEST)
    return digests_in_values(chart, digests, region, CATALOG)


def edits(**values: Mapping[str, Any]) -> dict[str, Any]:
    return {**EDITS, "eks.chart_values": {name.replace("_", "-"): value for name, value in values.items()}}


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("cert-manager", "webhook.image.digest", DIGEST),
        ("kube-prometheus-stack", "grafana.image.sha", DIGEST.removeprefix("sha256:")),
        ("kube-prometheus-stack", "prometheus-node-exporter.image.digest", DIGEST),
    ],
)
def test_a_chart_that_takes_a_digest_gets_that_of_the_lock(name: str, path: str, value: str, plan_of: PlanOf) -> None:
    chart = chart_of(plan_of("train-trn1", EDITS), name)
    assert locked(chart)[path] == value


def test_a_chart_of_ours_runs_its_image_by_digest(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", {"eks.addons.neuron_monitor": True, "observability": None})
    chart = chart_of(plan, "neuron-monitor")
    assert locked(chart) == {"image.digest": DIGEST}


def test_a_chart_without_such_a_key_stays_as_it_is(plan_of: PlanOf) -> None:
    assert locked(chart_of(plan_of("train-trn1"), "neuron-helm-chart")) == {}


def test_a_digest_of_the_file_wins_over_the_lock(plan_of: PlanOf) -> None:
    chosen = f"sha256:{'f' * 64}"
    plan = plan_of("train-trn1", edits(cert_manager={"webhook": {"image": {"digest": chosen}}}))
    assert "webhook.image.digest" not in locked(chart_of(plan, "cert-manager"))


def test_deployed_values_are_those_of_the_plan_with_the_digests(plan_of: PlanOf) -> None:
    from msgspec.structs import replace

    chart = chart_of(plan_of("train-trn1", EDITS), "cert-manager")
    pinned = replace(chart, image_digests=locked(chart))
    assert value_at(pinned.deployed_values, "cainjector.image.digest") == DIGEST
    assert replace(pinned, image_digests={}).deployed_values == chart.values
