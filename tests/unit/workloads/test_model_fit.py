"""A model that cannot be divided or does not fit is reported before anything is installed; so is a cut off save."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding
from neuron_cluster.workloads.model_shape import ModelShape, shape_of_file
from tests.every_case import every_case

from .conftest import Choose

LLAMA_8B = {
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "torch_dtype": "bfloat16",
}
LLAMA_70B = {
    **LLAMA_8B,
    "hidden_size": 8192,
    "intermediate_size": 28672,
    "num_hidden_layers": 80,
    "num_attention_heads": 64,
}
FP8 = {**LLAMA_70B, "quantization_config": {"quant_method": "modelopt"}}
OWN_BUCKETS = {"additionalConfig": {"neuron_config": {"num_seqs_buckets": [8]}}}


@pytest.fixture
def shape_of(tmp_path: Path) -> Any:
    def shape(config: dict[str, Any] | None) -> ModelShape | None:
        if config is None:
            return None
        file = tmp_path / "config.json"
        file.write_text(json.dumps(config))
        return shape_of_file(file)

    return shape


def found(choose: Choose, chart: str, environment: str, **asked: Any) -> list[Finding]:
    try:
        findings = choose(chart, environment, claim="lustre", **asked).findings
    except InvalidEnvironment as refusal:
        findings = refusal.findings
    return [each for each in findings if re.match(r"[EW]926[1-4]", each.id)]


def devices(count: int, **model: Any) -> dict[str, Any]:
    return {"machine": {"neuronDevices": count}, "model": model}


@every_case(
    "environment, config, given, expected, words",
    [
        ("train-trn2", LLAMA_70B, {}, [], ""),
        ("train-trn2", LLAMA_8B, devices(1), [], ""),
        ("train-trn2", LLAMA_70B, devices(1), ["E9261"], "32.9 GiB of each of 4 cores"),
        ("train-trn2", FP8, devices(1), [], ""),
        ("train-trn2", LLAMA_70B, {"model": {"tensorParallelSize": 48}}, ["E9262"], "48 cores cannot share the 64"),
        ("train-trn2", LLAMA_8B, {}, ["E9262"], "64 cores cannot share the 32"),
        ("train-trn2", LLAMA_8B, devices(1, maxModelLen=262144), ["E9261"], "one request of 262144 tokens"),
        (
            "train-trn2",
            LLAMA_8B,
            devices(1, maxModelLen=262144, extraArgs=["--kv-cache-dtype=fp8"]),
            [],
            "",
        ),
        ("train-trn2", LLAMA_8B, devices(1, maxModelLen=262144, extraArgs=["--kv-cache-dtype", "fp8"]), [], ""),
        (
            "train-trn2",
            LLAMA_8B,
            devices(1, extraArgs=["--gpu-memory-utilization=0.15"]),
            ["E9261"],
            "uses 3.6 of their",
        ),
        ("train-trn2", LLAMA_8B, devices(1, extraArgs=["--gpu-memory-utilization=x"]), [], ""),
        ("train-trn2", None, devices(1), ["W9263"], "if llama-3.3-70b-instruct is llama-3.3-70b in BF16"),
        ("train-trn2", None, devices(1, name="mine"), [], ""),
        ("train-trn1", LLAMA_70B, {}, [], ""),
        ("train-trn1", LLAMA_70B, {"model": {"maxNumSeqs": 64}}, ["E9261"], "64 requests of 16384 tokens"),
    ],
)
def test_a_server(
    environment: str,
    config: dict[str, Any] | None,
    given: dict[str, Any],
    expected: list[str],
    words: str,
    choose: Choose,
    shape_of: Any,
) -> None:
    findings = found(choose, "neuron-serving", environment, given=given, model=shape_of(config))
    assert [each.id for each in findings] == expected, findings
    assert not expected or words in findings[0].message


@pytest.mark.hints("E9261", "E9262", "W9263")
def test_the_ways_of_the_hints_lead_out(choose: Choose, shape_of: Any) -> None:
    small = shape_of(LLAMA_8B)
    (heads,) = found(choose, "neuron-serving", "train-trn2", model=small)
    sizes = re.findall(r"\d+", heads.hint.partition(" to ")[2])
    assert sizes == ["1", "2", "4", "8", "16", "32"]
    for size in sizes[-2:]:
        given = {"model": {"tensorParallelSize": int(size)}}
        assert found(choose, "neuron-serving", "train-trn2", model=small, given=given) == []
    (memory,) = found(choose, "neuron-serving", "train-trn2", model=small, given=devices(1, maxModelLen=262144))
    longest = re.search(r"set model.maxModelLen to (\d+) at most", memory.hint)
    assert longest is not None
    assert (
        found(choose, "neuron-serving", "train-trn2", model=small, given=devices(1, maxModelLen=int(longest[1]))) == []
    )
    (name,) = found(choose, "neuron-serving", "train-trn2", given=devices(1))
    assert "--model-config FILE, its config.json, decides it" in name.hint
    assert found(choose, "neuron-serving", "train-trn2", given=devices(1), model=shape_of(FP8)) == []


@every_case(
    "config, given, nodes, expected",
    [
        (None, {}, 1, []),
        (LLAMA_8B, {}, 1, []),
        (LLAMA_70B, {}, 1, ["W9263", "W9264"]),
        (LLAMA_70B, {}, 4, ["W9264"]),
        (LLAMA_70B, {"stop": {"graceSeconds": 1800}}, 4, []),
        (LLAMA_70B, {"checkpoints": {"claim": "mine"}}, 4, []),
        ({**LLAMA_70B, "num_experts": 8}, {}, 1, []),
    ],
)
def test_a_training(
    config: dict[str, Any] | None,
    given: dict[str, Any],
    nodes: int,
    expected: list[str],
    choose: Choose,
    shape_of: Any,
) -> None:
    findings = found(choose, "neuron-training", "train-trn1", nodes=nodes, given=given, model=shape_of(config))
    assert [each.id for each in findings] == expected, findings


@pytest.mark.hints("W9264")
def test_a_longer_grace_is_enough_for_a_save(choose: Choose, shape_of: Any) -> None:
    (short,) = found(choose, "neuron-training", "train-trn1", nodes=4, model=shape_of(LLAMA_70B))
    longer = re.search(r"set stop.graceSeconds=(\d+)", short.hint)
    assert longer is not None
    given = {"stop": {"graceSeconds": int(longer[1])}}
    assert found(choose, "neuron-training", "train-trn1", nodes=4, model=shape_of(LLAMA_70B), given=given) == []


def test_a_chart_without_a_model_has_no_use_for_its_file(choose: Choose, shape_of: Any) -> None:
    with pytest.raises(InvalidEnvironment) as refusal:
        choose("collectives-check", "train-trn1", model=shape_of(LLAMA_8B))
    assert [(each.id, each.location.path) for each in refusal.value.findings if each.id[0] == "E"] == [
        ("E9221", "--model-config")
    ]
