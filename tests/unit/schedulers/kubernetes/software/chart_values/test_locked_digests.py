"""Digests of a lock reach the values of charts that take one, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from local_kubernetes.model.chart_values import value_at, with_value
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.plan.chart_images import images_of_chart
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.software.chart_values.image_sources import digests_in_values
from neuron_cluster.schedulers.kubernetes.software.values.invalid_value import invalid_values

PlanOf = Callable[..., ClusterPlan]
DIGEST = f"sha256:{'0123456789abcdef' * 4}"
CATALOG = load_catalog()
EDITS = {"eks.addons.kube_prometheus_stack": True, "eks.addons.cert_manager": True, "observability": None}


def chart_of(plan: ClusterPlan, name: str) -> ChartPlan:
    assert plan.kubernetes is not None
    return next(chart for chart in plan.kubernetes.charts if chart.chart == name)


def locked(chart: ChartPlan) -> dict[str, str]:
    """Digests of all images of the chart, by dotted path, from a lock that has each."""
    region = CATALOG.regions.get("us-west-2")
    assert region is not None
    digests = dict.fromkeys(images_of_chart(chart, CATALOG, region.eks_image_registry), DIGEST)
    return digests_in_values(chart, digests, region, CATALOG)


def edits(**values: Mapping[str, Any]) -> dict[str, Any]:
    return {**EDITS, "eks.chart_values": {name.replace("_", "-"): value for name, value in values.items()}}


BEFORE_THE_VALUE = {
    "kube-prometheus-stack": {
        "prometheusOperator.image.sha": "@sha256:",
        "prometheusOperator.prometheusConfigReloader.image.sha": "@sha256:",
        "prometheusOperator.admissionWebhooks.patch.image.sha": "@sha256:",
        "prometheus.prometheusSpec.image.sha": "@sha256:",
        "alertmanager.alertmanagerSpec.image.sha": "@sha256:",
        "grafana.image.sha": "@sha256:",
        "grafana.sidecar.image.sha": "@sha256:",
        "grafana.initChownData.image.sha": "@sha256:",
        "kube-state-metrics.image.sha": "@",
        "prometheus-node-exporter.image.digest": "@",
    },
    "cert-manager": {
        "image.digest": "@",
        "webhook.image.digest": "@",
        "cainjector.image.digest": "@",
        "startupapicheck.image.digest": "@",
        "acmesolver.image.digest": "@",
    },
}
"""Text of the templates of the pinned charts between the tag and the value: helm-charts@cf408a2 (templates of
kube-prometheus-stack; _helpers.tpl of kube-state-metrics and prometheus-node-exporter), grafana-community@3386a11
(_pod.tpl), cert-manager@2d0d7f7 (_helpers.tpl). Written by hand, not read from the catalog."""


@pytest.mark.parametrize(("name", "keys"), BEFORE_THE_VALUE.items())
def test_the_charts_templates_write_a_valid_reference_of_each_locked_image(
    name: str, keys: Mapping[str, str], plan_of: PlanOf
) -> None:
    chart = chart_of(plan_of("train-trn1", {**EDITS, "eks.chart_values": {}}), name)
    set_by_lock = locked(chart)
    written = {path: f"{keys[path]}{value}" for path, value in set_by_lock.items()}
    assert written == dict.fromkeys(set_by_lock, f"@{DIGEST}")
    row = CATALOG.charts.get(name)
    assert row is not None
    assert {image.digest.path for image in row.images if image.digest is not None} == set(keys) >= set(set_by_lock)


@pytest.mark.parametrize("name", BEFORE_THE_VALUE)
def test_a_digest_of_the_file_is_accepted_in_the_form_of_its_key_alone(name: str) -> None:
    row = CATALOG.charts.get(name)
    assert row is not None
    for path, before in BEFORE_THE_VALUE[name].items():
        for value in (DIGEST, DIGEST.removeprefix("sha256:"), DIGEST[:-1], f"@{DIGEST}"):
            found = list(invalid_values(row, with_value({}, path, value)))
            assert bool(found) == (f"{before}{value}" != f"@{DIGEST}"), (path, value, found)
        assert not list(invalid_values(row, with_value({}, path, "")))


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
