"""Charts with the compile cache of the environment: a copy before the start, and no address in S3 for readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from bundled_charts import CHARTS, BundledChart
from renders import Renders, newest_helm

from local_kubernetes.model.chart_values import merged
from neuron_cluster.kube.helm import HelmError

pytestmark = pytest.mark.slow
CACHE = {"compileCache": {"url": "$(COMPILE_CACHE_URL)", "claim": "", "configMap": "compile-cache"}}
FOLDER = "neuronx-cc-2.27.5334.0/trn1/lnc-default"
TRAINING = {"compileCache": {**CACHE["compileCache"], "subfolder": FOLDER}}
IN_S3 = {"env": {"NEURON_LIBTORCH_REMOTE_CACHE": "s3://bucket/cache"}}
ADDRESS = {"name": "COMPILE_CACHE_URL", "valueFrom": {"configMapKeyRef": {"name": "compile-cache", "key": "url"}}}


def pods(renders: Renders, name: str, example: str, given: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The specs of all pods that work, not of those of tests."""
    chart = BundledChart(CHARTS / name)
    for body in renders.of_values(chart, merged(chart.values(example), given), newest_helm()):
        yield from _specs(body) if body["kind"] in ("Deployment", "Job", "JobSet", "MPIJob", "LeaderWorkerSet") else ()


def _specs(body: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(body, Mapping):
        if "containers" in body:
            yield body
        for each in body.values():
            yield from _specs(each)
    elif isinstance(body, list):
        for each in body:
            yield from _specs(each)


def variables(container: Mapping[str, Any]) -> dict[str, str]:
    return {each["name"]: each.get("value", "") for each in container["env"]}


@pytest.mark.parametrize(
    ("chart", "example", "given"),
    [
        ("neuron-serving", "trn2-s3-autoscaled", CACHE),
        ("batch-inference", "inf2-s3", CACHE),
        ("compile-cache-warmer", "vllm-to-s3-weekly", CACHE),
        ("compile-cache-warmer", "torch-xla-on-trn1", CACHE),
        ("neuron-training", "jax-trn2-four-nodes", TRAINING),
        ("neuron-training", "nxd-trn1-mpijob", TRAINING),
    ],
)
def test_graphs_are_copied_before_the_start_and_no_compiler_writes_to_the_bucket(
    renders: Renders, chart: str, example: str, given: Mapping[str, Any]
) -> None:
    found = [spec for spec in pods(renders, chart, example, given) if spec.get("initContainers")]
    assert found
    for spec in found:
        copies = [each for each in spec["initContainers"] if "cache" in each["name"]]
        assert [ADDRESS in each["env"] for each in copies] == [True]
        source, target = copies[0]["args"][-2:]
        assert source.startswith("$(COMPILE_CACHE_URL)/neuronx-cc-")
        for container in spec["containers"]:
            local = variables(container).get("NEURON_COMPILE_CACHE_URL", "/none")
            assert local.startswith("/")
            assert local in (target, "/none") or variables(container)["VLLM_CACHE_ROOT"] in target


def test_a_training_without_the_graphs_starts_all_the_same(renders: Renders) -> None:
    (spec, *_) = pods(renders, "neuron-training", "jax-trn2-four-nodes", TRAINING)
    script = spec["initContainers"][0]["args"][0]
    assert "|| echo" in script


@pytest.mark.parametrize(
    ("chart", "example", "given", "message"),
    [
        ("neuron-training", "jax-trn2-four-nodes", CACHE, r"compileCache\.subfolder is empty"),
        (
            "neuron-serving",
            "trn2-s3-autoscaled",
            IN_S3,
            "an S3 address",
        ),
        ("batch-inference", "inf2-s3", IN_S3, "an S3 address"),
    ],
)
def test_a_cache_that_cannot_be_read_is_refused(
    renders: Renders, chart: str, example: str, given: Mapping[str, Any], message: str
) -> None:
    with pytest.raises(HelmError, match=message):
        list(pods(renders, chart, example, given))
