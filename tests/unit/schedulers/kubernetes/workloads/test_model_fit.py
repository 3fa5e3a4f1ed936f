"""A model that cannot be divided or does not fit is reported before anything is installed; so is a cut off save."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding
from neuron_cluster.sizing.model_shape import ModelShape, shape_of_file
from tests.every_case import every_case
from tests.unit.schedulers.kubernetes.conftest import Choose

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
        return shape_of_file(file, load_catalog())

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
    "environment, config, given, expected, text",
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
    text: str,
    choose: Choose,
    shape_of: Any,
) -> None:
    findings = found(choose, "neuron-serving", environment, given=given, model=shape_of(config))
    assert [each.id for each in findings] == expected, findings
    assert not expected or text in findings[0].message


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


SMALL_HOST = {
    **LLAMA_8B,
    "model_type": "llama",
}
TYPE = "eks.node_groups.1.instance_type"
ON_INF2 = {"claim": "models", "front_end": "vllm_nxd"}


def of_host(choose: Choose, chart: str, kind: str, **asked: Any) -> list[Finding]:
    """Findings about host memory on a group of one type."""
    edits = {TYPE: kind}
    try:
        findings = choose(chart, "dev-inf2", edits, **ON_INF2 | asked).findings
    except InvalidEnvironment as refusal:
        findings = refusal.findings
    return [each for each in findings if each.id in ("E9297", "W9298")]


@pytest.mark.hints("E9297", "W9298")
@pytest.mark.parametrize("chart", ["neuron-serving", "batch-inference"])
def test_a_host_that_cannot_load_the_weights_is_named_as_recommend_names_it(
    chart: str, choose: Choose, shape_of: Any
) -> None:
    model = shape_of(SMALL_HOST)
    (small,) = of_host(choose, chart, "inf2.xlarge", model=model)
    assert (small.id, small.location.path) == ("E9297", "machine.memoryGib")
    assert "the host of inf2.xlarge has 16 GiB" in small.message
    assert "takes 30 + 3 GiB (the weights as stored and as divided)" in small.message
    assert "a type with at least 128 GiB of memory, for example inf2.8xlarge" in small.hint
    assert of_host(choose, chart, "inf2.8xlarge", model=model) == []


def test_the_share_of_a_pod_counts_where_the_host_has_enough(choose: Choose, shape_of: Any) -> None:
    model, given = shape_of(SMALL_HOST), {"machine": {"memoryGib": 20}}
    (share,) = of_host(choose, "neuron-serving", "inf2.8xlarge", model=model, given=given)
    assert (share.id, "machine.memoryGib is 20 GiB" in share.message) == ("W9298", True)
    needed = re.search(r"machine\.memoryGib=(\d+)", share.hint)
    assert needed is not None
    given = {"machine": {"memoryGib": int(needed[1])}}
    assert of_host(choose, "neuron-serving", "inf2.8xlarge", model=model, given=given) == []


def test_the_host_of_a_compiler_loads_the_model_too(choose: Choose, shape_of: Any) -> None:
    found_ids = {
        each.id
        for each in of_host(
            choose,
            "compile-cache-warmer",
            "inf2.xlarge",
            model=shape_of(SMALL_HOST),
            front_end="torch",
            given={"graphs": [{"name": "g", "kind": "parallel_compile", "args": ["x"]}]},
        )
    }
    assert found_ids == {"E9297"}


def test_a_server_divides_over_a_number_of_cores_that_aws_lists(choose: Choose) -> None:
    edits = {TYPE: "inf2.24xlarge"}
    chosen = choose("neuron-serving", "dev-inf2", edits, **ON_INF2, given={"model": {"name": "mine"}})
    assert chosen.values["model"]["tensorParallelSize"] == 8
    assert not any(each.id == "W9266" for each in chosen.findings)


@every_case(
    "changes, given, expected, text",
    [
        ({"intermediate_size": 14_337}, {}, "W9263", "intermediate size of 14,337"),
        ({"vocab_size": 32_001}, {"model": {"tensorParallelSize": 3}}, "E9262", "32 attention heads"),
        ({"num_attention_heads": 24, "num_key_value_heads": 3, "head_dim": 128}, {}, "E9262", "heads of keys"),
        ({"num_attention_heads": 20, "num_key_value_heads": 4, "head_dim": 128}, {}, "E9262", "20 attention heads"),
    ],
)
def test_each_size_that_cores_share(
    changes: dict[str, Any], given: dict[str, Any], expected: str, text: str, choose: Choose, shape_of: Any
) -> None:
    findings = found(
        choose, "neuron-serving", "train-trn2", given=devices(2) | given, model=shape_of(SMALL_HOST | changes)
    )
    (about,) = [each for each in findings if each.id in ("E9262", "W9263")]
    assert (about.id, text in about.message) == (expected, True), about


@every_case(
    "missing, tensor, text",
    [
        (["vocab_size"], 8, "has no vocab_size: whether 8 cores divide it was not compared"),
        (["vocab_size", "intermediate_size"], 8, "has no intermediate_size and no vocab_size"),
        (["vocab_size"], 1, ""),
        ([], 8, ""),
    ],
)
def test_a_size_that_the_file_does_not_have_is_named(
    missing: list[str], tensor: int, text: str, choose: Choose, shape_of: Any
) -> None:
    config = {key: value for key, value in LLAMA_8B.items() if key not in missing}
    given = devices(2, tensorParallelSize=tensor)
    about = found(choose, "neuron-serving", "train-trn2", given=given, model=shape_of(config))
    assert [each.id for each in about] == (["W9263"] if text else [])
    assert not about or (text in about[0].message and f"add {' and '.join(reversed(missing))}" in about[0].hint)


QWEN = json.loads((Path(__file__).parents[4] / "fixtures" / "models" / "qwen3-30b-a3b.json").read_text())
MIXTRAL = json.loads((Path(__file__).parents[4] / "fixtures" / "models" / "mixtral-8x7b.json").read_text())
APART = ["--enable-expert-parallel"]


@every_case(
    "config, model, expected, text",
    [
        (QWEN | {"num_experts": 60}, {"extraArgs": APART}, "E9262", "8 groups of cores cannot share the 60 experts"),
        (QWEN | {"num_experts": 60}, {}, None, ""),
        (QWEN, {"extraArgs": APART}, None, ""),
        (QWEN, {"extraArgs": APART, "tensorParallelSize": 4, "dataParallelSize": 2}, None, ""),
        (QWEN | {"moe_intermediate_size": 770}, {"extraArgs": APART}, None, ""),
        (QWEN | {"moe_intermediate_size": 770}, {}, "W9263", "8 cores do not divide the intermediate size of 770"),
    ],
)
def test_experts_are_divided_by_groups_of_cores(
    config: dict[str, Any], model: dict[str, Any], expected: str | None, text: str, choose: Choose, shape_of: Any
) -> None:
    given = devices(2, **{"tensorParallelSize": 8, **model})
    about = found(choose, "neuron-serving", "train-trn2", given=given, model=shape_of(config))
    assert [each.id for each in about] == ([expected] if expected else []), about
    assert not about or text in about[0].message


def test_a_number_of_groups_that_does_not_divide_experts_has_no_other_size(choose: Choose, shape_of: Any) -> None:
    config = {"neuron_config": {"ep_degree": 3, "num_batched_tokens_buckets": [512], "num_seqs_buckets": [8]}}
    given = devices(2, tensorParallelSize=8, extraArgs=APART, additionalConfig=config)
    (about,) = found(choose, "neuron-serving", "train-trn2", given=given, model=shape_of(QWEN))
    assert (about.id, "3 groups of cores cannot share the 128 experts" in about.message) == ("E9262", True)
    assert about.hint.startswith("give whole experts to a number of groups of cores that divides them")
    config["neuron_config"]["ep_degree"] = 4
    assert found(choose, "neuron-serving", "train-trn2", given=given, model=shape_of(QWEN)) == []


def test_nxd_inference_divides_the_width_of_a_mixture(choose: Choose, shape_of: Any) -> None:
    given = {"model": {"tensorParallelSize": 24}}
    (about,) = found(choose, "neuron-serving", "train-trn1", given=given, model=shape_of(MIXTRAL), front_end="vllm_nxd")
    assert about.id == "E9262"
    assert "24 cores cannot share the hidden size of 4,096" in about.message
    sizes = re.findall(r"\d+", about.hint.partition(" to ")[2])
    given["model"]["tensorParallelSize"] = int(sizes[-1])
    after = found(choose, "neuron-serving", "train-trn1", given=given, model=shape_of(MIXTRAL), front_end="vllm_nxd")
    assert not any(each.id == "E9262" for each in after)


@every_case(
    "args, expected",
    [
        (["--tensor_parallel_size=8", "--pipeline_parallel_size", "4"], []),
        (["--tensor_parallel_size", "24"], ["W9263"]),
        (["--pipeline-parallel-size=3"], ["W9263"]),
        (["--pipeline_parallel_size=many"], []),
    ],
)
def test_the_options_of_a_trainer(args: list[str], expected: list[str], choose: Choose, shape_of: Any) -> None:
    model = shape_of({**SMALL_HOST, "vocab_size": 49_152 * 3})
    given = {"trainer": {"program": ["train.py"], "args": args}}
    findings = found(choose, "neuron-training", "train-trn1", nodes=4, given=given, model=model)
    assert [each.id for each in findings if each.location.path == "trainer.args"] == expected, findings


def test_a_chart_without_a_model_has_no_use_for_its_file(choose: Choose, shape_of: Any) -> None:
    with pytest.raises(InvalidEnvironment) as refusal:
        choose("collectives-check", "train-trn1", model=shape_of(LLAMA_8B))
    assert [(each.id, each.location.path) for each in refusal.value.findings if each.id[0] == "E"] == [
        ("E9221", "--model-config")
    ]
