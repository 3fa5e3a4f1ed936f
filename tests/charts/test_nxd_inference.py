"""vLLM with NxD Inference (engine vllm_nxd): where it keeps the model that it compiled, and what ends its start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from bundled_charts import CHARTS, BundledChart
from renders import Renders, newest_helm

from local_kubernetes.model.chart_values import merged
from neuron_cluster.kube.helm import HelmError

pytestmark = pytest.mark.slow
EXAMPLES = {"neuron-serving": "inf2-dev", "batch-inference": "inf2-s3", "compile-cache-warmer": "torch-xla-on-trn1"}
CLAIM = {"compileCache": {"url": "", "claim": "graphs", "mountPath": "/cache"}}
BOTH = pytest.mark.parametrize("name", ["neuron-serving", "batch-inference"])
PREFIXES = {"model": {"blockSize": 0, "extraArgs": ["--enable-prefix-caching"]}}


def container_of(renders: Renders, name: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The one that works."""
    chart = BundledChart(CHARTS / name)
    objects = renders.of_values(chart, merged(chart.values(EXAMPLES[name]), given), newest_helm())
    (body,) = [each for each in objects if each["kind"] in ("Deployment", "Job")]
    container: Mapping[str, Any] = body["spec"]["template"]["spec"]["containers"][0]
    return container


def folder_of(renders: Renders, name: str, *given: Mapping[str, Any]) -> str:
    values: Mapping[str, Any] = {}
    for each in given:
        values = merged(values, each)
    (folder,) = [
        each["value"]
        for each in container_of(renders, name, values)["env"]
        if each["name"] == "NEURON_COMPILED_ARTIFACTS"
    ]
    return str(folder)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_compiled_model_is_on_the_claim_and_else_in_the_scratch_of_the_pod(name: str, renders: Renders) -> None:
    assert folder_of(renders, name) == "/scratch/neuron-compiled-artifacts"
    assert folder_of(renders, name, CLAIM).startswith("/cache/artifacts/")
    assert folder_of(renders, name, CLAIM) == folder_of(renders, name, CLAIM)
    assert folder_of(renders, name, {"env": {"NEURON_COMPILED_ARTIFACTS": "/scratch/mine"}}) == "/scratch/mine"


@BOTH
def test_another_image_model_or_argument_is_another_folder(name: str, renders: Renders) -> None:
    """An existing folder is loaded whatever the arguments are."""
    changes: list[Mapping[str, Any]] = [
        {},
        {"image": {"tag": "0.16.0-neuronx-py312-sdk2.31.0-ubuntu24.04"}},
        {"image": {"digest": f"sha256:{'0' * 64}"}},
        {"weights": {"url": "s3://example-models/other"}},
        {"weights": {"source": "claim", "claim": "a"}},
        {"weights": {"source": "claim", "claim": "b"}},
        {"weights": {"source": "claim", "claim": "b", "path": "c"}},
        {"machine": {"logicalNcConfig": 1}},
        {"env": {"NEURON_CC_FLAGS": "-O1"}},
        {"model": {"name": "other"}},
        {"model": {"tensorParallelSize": 1}},
        {"model": {"maxModelLen": 1024}},
        {"model": {"maxNumSeqs": 2}},
        {"model": {"maxNumBatchedTokens": 512}},
        {"model": {"blockSize": 64}},
        {"model": {"additionalConfig": {"override_neuron_config": {"sequence_parallel_enabled": True}}}},
        {"model": {"extraArgs": ["--num-gpu-blocks-override=512"]}},
    ]
    folders = [folder_of(renders, name, CLAIM, change) for change in changes]
    assert len(set(folders)) == len(changes)


@BOTH
def test_prefix_caching_is_off_without_a_size_of_blocks(name: str, renders: Renders) -> None:
    """vLLM has it on, and the plugin then asserts a block size."""

    def is_off(model: Mapping[str, Any]) -> bool:
        return "--no-enable-prefix-caching" in container_of(renders, name, {"model": model})["args"]

    assert is_off({"blockSize": 0, "extraArgs": []})
    assert not is_off({"blockSize": 32, "extraArgs": []})
    assert not is_off({"blockSize": 0, "extraArgs": ["--block-size=32"]})
    with pytest.raises(HelmError, match=r"model\.blockSize is set"):
        container_of(renders, name, PREFIXES)


QUANTIZED = {"quantized": True}
ELSEWHERE = {**QUANTIZED, "quantized_checkpoints_path": "/scratch/quantized"}


@BOTH
@pytest.mark.parametrize(
    "model",
    [
        {"additionalConfig": {"override_neuron_config": QUANTIZED}},
        {"additionalConfig": {"override-neuron-config": {**QUANTIZED, "quantized_checkpoints_path": "/models/q"}}},
        {"extraArgs": ['--additional-config={"override_neuron_config": {"quantized": true}}']},
        {"extraArgs": ["--additional-config.override_neuron_config.quantized=true"]},
    ],
)
def test_weights_that_the_engine_quantizes_need_a_folder_that_it_can_write(
    name: str, model: Mapping[str, Any], renders: Renders
) -> None:
    with pytest.raises(HelmError, match="name a folder below /scratch"):
        container_of(renders, name, {"model": model})
    own = {"model": {"additionalConfig": {"override_neuron_config": ELSEWHERE}}}
    assert any("/scratch/quantized" in each for each in container_of(renders, name, own)["args"])


def test_the_warmer_has_no_graphs_of_vllm_for_chips_that_only_nxd_inference_serves(renders: Renders) -> None:
    chart = BundledChart(CHARTS / "compile-cache-warmer")
    values = merged(chart.values("vllm-on-cpu"), {"compiler": {"target": "inf2"}})
    with pytest.raises(HelmError, match=r"compiler\.target is inf2.*keep their own graphs"):
        renders.of_values(chart, values, newest_helm())
