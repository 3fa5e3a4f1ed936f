"""With the cache on, no image and no chart is forgotten: it is in the cache, or its registry asks for credentials."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.plan.chart_images import chart_images
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.needed_software import registry_of
from neuron_cluster.providers.eks.plan.build_image_cache import build_image_cache
from neuron_cluster.schedulers.kubernetes.software.chart_values.image_sources import through_cache

CATALOG = load_catalog()
CACHE = build_image_cache("train-trn1", "111122223333", "us-west-2", CATALOG, has_internet=True)
CLOSED = build_image_cache("train-trn1", "111122223333", "us-west-2", CATALOG, has_internet=False)


def chart_plan(row: Chart, values: dict[str, Any]) -> ChartPlan:
    repository = row.address_in(CACHE.registry)
    return ChartPlan(("eks",), row.release, row.name, repository, row.version, row.namespace, values, 10)


def all_on(row: Chart) -> dict[str, Any]:
    """Values that turn on every image of the chart."""
    values: dict[str, Any] = {}
    for path in row.switch_defaults:
        *parents, last = path.split(".")
        place = values
        for part in parents:
            place = place.setdefault(part, {})
        place[last] = True
    return values


@pytest.mark.parametrize("row", CATALOG.charts.rows, ids=lambda row: row.name)
def test_every_image_of_every_chart_comes_from_the_cache_or_needs_credentials(row: Chart) -> None:
    before = chart_plan(row, all_on(row))
    after = through_cache(before, CACHE, CATALOG)
    actual = chart_images(after, row, None)
    assert {CACHE.upstream_of(image) or image for image in actual} == set(chart_images(before, row, None))
    outside = [
        CATALOG.pull_through_upstreams.of_host(registry_of(image)) for image in actual if not CACHE.upstream_of(image)
    ]
    assert all(upstream is not None and upstream.needs_secret for upstream in outside)
    assert (after.repository == before.repository) == (CACHE.mirror_of(row.repository) is None)


@pytest.mark.parametrize("row", CATALOG.charts.rows, ids=lambda row: row.name)
def test_in_a_closed_network_everything_public_comes_from_the_account(row: Chart) -> None:
    after = through_cache(chart_plan(row, all_on(row)), CLOSED, CATALOG)
    actual = [*chart_images(after, row, None), after.repository.removeprefix("oci://")]
    assert [name for name in actual if registry_of(name) != CLOSED.registry] == []


@pytest.mark.parametrize("row", CATALOG.charts.rows, ids=lambda row: row.name)
def test_only_keys_that_the_chart_has_are_set(row: Chart) -> None:
    after = through_cache(chart_plan(row, {}), CACHE, CATALOG)
    assert {path: row.value_kind(path) for path in _paths(after.values)} == dict.fromkeys(
        _paths(after.values), "string"
    )


def _paths(values: Any, before: str = "") -> list[str]:
    if not isinstance(values, dict):
        return [before.removeprefix(".")]
    return [path for key, value in values.items() for path in _paths(value, f"{before}.{key}")]


def test_what_is_beside_an_image_stays_and_the_plan_before_is_not_touched() -> None:
    row = CATALOG.charts.get("neuron-helm-chart")
    assert row is not None
    values = {"devicePlugin": {"enabled": True, "image": {"tag": "2.31.0.0"}}, "npd": {"enabled": False}}
    text = json.dumps(values)
    after = through_cache(chart_plan(row, values), CACHE, CATALOG)
    assert after.values["devicePlugin"]["image"] == {
        "tag": "2.31.0.0",
        "repository": f"{CACHE.registry}/train-trn1/ecr-public/neuron/neuron-device-plugin",
    }
    assert after.values["npd"] == {"enabled": False}
    assert json.dumps(values) == text


def test_an_image_that_the_user_names_goes_through_the_cache_too_or_stays() -> None:
    row = CATALOG.charts.get("neuron-helm-chart")
    assert row is not None
    for given, expected in (
        ("quay.io/mine/plugin", f"{CACHE.registry}/train-trn1/quay/mine/plugin"),
        ("registry.corp.example/plugin", "registry.corp.example/plugin"),
    ):
        after = through_cache(chart_plan(row, {"devicePlugin": {"image": {"repository": given}}}), CACHE, CATALOG)
        assert after.values["devicePlugin"]["image"]["repository"] == expected


def test_a_chart_of_ours_is_given_the_name_in_the_cache() -> None:
    name, values = "neuron-monitor", {"instanceTypes": ["trn1.32xlarge"]}
    plan = ChartPlan(("eks",), name, name, "", "", name, values, 10, folder=name)
    monitor = through_cache(plan, CACHE, CATALOG)
    assert monitor.values == {
        "instanceTypes": ["trn1.32xlarge"],
        "image": {"repository": f"{CACHE.registry}/train-trn1/ecr-public/neuron/neuron-monitor"},
    }
    assert monitor.repository == ""


def test_without_the_key_nothing_is_rewritten(plan_of: Callable[..., ClusterPlan]) -> None:
    eks = plan_of("train-trn1").kubernetes
    assert eks is not None
    assert eks.image_cache is None
    assert CACHE.registry not in str(eks.charts)
