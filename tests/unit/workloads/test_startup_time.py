"""Pods that start longer than Kueue waits are refused before they are installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.workloads.startup_time import startup_findings

PlanOf = Callable[..., Any]


def server(probe: Mapping[str, Any] | None, queue: str = "training") -> dict[str, Any]:
    container = {"name": "vllm"} | ({"startupProbe": probe} if probe is not None else {})
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "chat", "labels": {"kueue.x-k8s.io/queue-name": queue} if queue else {}},
        "spec": {"template": {"spec": {"containers": [container]}}},
    }


def probe(minutes: int) -> dict[str, Any]:
    return {"periodSeconds": 60, "failureThreshold": minutes}


@pytest.fixture
def found(cached_plan: PlanOf, catalog: Catalog) -> Callable[..., list[Finding]]:
    """``found(server(…), {edits})``: the findings in train-trn2, which has a queue."""

    def findings(body: Mapping[str, Any], edits: Mapping[str, Any] | None = None) -> list[Finding]:
        cluster = cached_plan("train-trn2", edits).kubernetes
        return list(startup_findings([body], cluster, catalog, chart="neuron-serving", namespace="default"))

    return findings


def test_a_start_and_the_pull_of_its_image_must_fit_the_time_that_kueue_gives(
    found: Callable[..., list[Finding]],
) -> None:
    assert found(server(probe(165))) == []
    (late,) = found(server(probe(166)))
    assert (late.id, late.location.path) == ("E9240", "Deployment chat")
    assert "may need 181 minutes" in late.message
    assert "stops them after 180," in late.message


@pytest.mark.hints("E9240")
def test_each_way_out_is_one(found: Callable[..., list[Finding]]) -> None:
    (late,) = found(server(probe(300)))
    assert "set eks.pods_ready_minutes: 315 and deploy" in late.hint
    assert found(server(probe(300)), {"eks.pods_ready_minutes": 315}) == []
    assert found(server(probe(60))) == []
    assert found(server(probe(300), queue="")) == []


def test_probes_without_numbers_have_those_of_kubernetes_and_pods_without_one_start_at_once(
    found: Callable[..., list[Finding]],
) -> None:
    short = {"eks.pods_ready_minutes": 15}
    assert found(server(None), short) == []
    (late,) = found(server({}), short)
    assert "may need 16 minutes" in late.message, "three failures, ten seconds apart"


def test_the_time_of_a_configuration_of_ones_own_counts_and_the_shorter_one_of_the_two(
    found: Callable[..., list[Finding]], cached_plan: PlanOf
) -> None:
    (kueue,) = (each for each in cached_plan("train-trn2").kubernetes.charts if each.chart == "kueue")
    text = kueue.values["managerConfig"]["controllerManagerConfigYaml"]
    for own, allowed in (
        ('"recoveryTimeout": "1h10m"', 70),
        ('"recoveryTimeout": "0s"', 180),
    ):
        values = {"managerConfig": {"controllerManagerConfigYaml": text.replace('"recoveryTimeout": "180m"', own)}}
        edits = {"eks.chart_values": {"kueue": values}}
        assert found(server(probe(allowed - 15)), edits) == []
        (late,) = found(server(probe(allowed - 14)), edits)
        assert f"stops them after {allowed}," in late.message
