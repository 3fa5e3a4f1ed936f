"""Published runs: each that worked is recommended, none that failed is.

Sources: aws-neuron/aws-neuron-sdk@81ce03a (N), neuronx-distributed-training@9169aa0 (NT), neuronx-distributed@fbac349
(ND), neuronx-distributed-inference@4bcdc54 (NI), huggingface/optimum-neuron@213224e (HO),
aws-neuron/aws-neuron-samples@2015d65 (AS), awslabs/ai-on-eks@41a979e (AI).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from neuron_cluster.catalog.frozen_map import FrozenMap
from tests.every_run import in_every_run

from .models import choices_on, fixture_model, recommended


class Run(NamedTuple):
    """One published run."""

    model: str
    task: str
    instance_type: str
    length: int
    division: dict[str, int]
    options: Mapping[str, Any] = FrozenMap()
    count: int = 1


def _train(model: str, machine: str, count: int, length: int, tensor: int, pipeline: int = 1, **more: int) -> Run:
    options = {"batch": 1024} if more.pop("batch", 0) else {}
    return Run(model, "train", machine, length, {"tensor": tensor, "pipeline": pipeline, **more}, options, count)


def _serve(model: str, machine: str, length: int, batch: int, tensor: int, **options: Any) -> Run:
    division = {"tensor": tensor} | {key: options.pop(key) for key in ("data",) if key in options}
    return Run(model, "serve", machine, length, division, {"batch": batch, **options})


def _embed(model: str, batch: int, length: int = 128) -> Run:
    return Run(model, "embed", "inf2.xlarge", length, {"tensor": 1}, {"batch": batch})


_CONTRIBUTED = {
    f"NI contrib {model}": _serve(model, "trn1.32xlarge", length, 1, tensor)
    for model, tensor, length in (
        ("apertus-8b", 2, 512),
        ("exaone-4-1.2b", 1, 512),
        ("falcon-7b", 2, 512),
        ("gemma-2-9b", 8, 128),
        ("gemma-3-1b", 1, 128),
        ("gemma-3-27b", 8, 1024),
        ("glm-4-9b-0414", 2, 128),
        ("glm-4-9b-chat-hf", 2, 128),
        ("gpt-j-6b", 1, 128),
        ("granite-3.3-8b", 2, 128),
        ("hunyuan-7b", 8, 128),
        ("olmo-2-7b", 8, 128),
        ("olmo-3-7b", 2, 128),
        ("phi-3-mini", 1, 512),
        ("qwen2.5-7b", 2, 128),
        ("qwen2.5-vl-32b", 8, 128),
        ("smollm3-3b", 2, 128),
        ("stablelm-2-1.6b", 2, 128),
    )
}
"""NI: "Configuration" of the model's README.md, profiled on 2026-03-18 to 2026-03-21. Granite 3.1 and Qwen2 have the
sizes of Granite 3.3 and Qwen2.5."""
_BENCHMARKS = {
    "N inf2 throughput, Llama-3-70B": _serve("llama-3-70b", "inf2.48xlarge", 4096, 1, 24),
    "N inf2 throughput, Llama-2-70b": _serve("llama-2-70b", "inf2.48xlarge", 4096, 1, 24),
    "N inf2 throughput, Llama-2-7b": _serve("llama-2-7b", "inf2.48xlarge", 8192, 8, 24),
    "N inf2 throughput, Llama-2-13b": _serve("llama-2-13b", "inf2.48xlarge", 8192, 8, 24),
    "N inf2 throughput, Mistral-7B": _serve("mistral-7b", "inf2.48xlarge", 16384, 8, 24),
    "N trn1 throughput, Llama-3-70B": _serve("llama-3-70b", "trn1.32xlarge", 4096, 4, 32),
    "N trn1 throughput, Llama-2-70b": _serve("llama-2-70b", "trn1.32xlarge", 4096, 4, 32),
    "N inf2 throughput, BERT base": _embed("bert-base-uncased", 8),
    "N inf2 throughput, BERT large": _embed("bert-large-uncased", 4),
    "N inf2 throughput, DistilBERT": _embed("distilbert-base-uncased", 16),
    "N inf2 throughput, RoBERTa": _embed("roberta-base", 8),
    "N trn1_trn1n_nlp_data.csv, BERT large, 16 instances": Run(
        "bert-large-uncased", "train", "trn1.32xlarge", 128, {"tensor": 1, "data": 512}, {"batch": 16384}, 16
    ),
    "N trn1_trn1n_nlp_data.csv, BERT large": Run(
        "bert-large-uncased",
        "train",
        "trn1.32xlarge",
        128,
        {"tensor": 1, "data": 32},
        {"batch": 16384, "micro_batch": 16},
    ),
    "N trn1_trn1n_nlp_data.csv, Llama2-7B": _train("llama-2-7b", "trn1.32xlarge", 16, 4096, 8, data=64, batch=1024),
}
"""N: about-neuron/benchmarks, each with its SDK release (2.14 to 2.29), seen in the repository of 2026-08-21."""

_SAMPLES = {
    "AS codellama-13b-16k": _serve("codellama-13b", "trn1.32xlarge", 16384, 1, 32, weight_format="fp16"),
    "AS gpt-j-6b-sampling-dp": _serve("gpt-j-6b", "inf2.48xlarge", 1024, 64, 8, weight_format="fp16", data=3),
    "AS llama-3.1-70b-64k": _serve("llama-3.1-70b", "trn1.32xlarge", 65536, 1, 32),
    "AS llama-3.1-8b-128k": _serve("llama-3.1-8b", "trn1.32xlarge", 131072, 1, 32),
    "AS llama-3.1-8b-32k": _serve("llama-3.1-8b", "inf2.48xlarge", 32768, 1, 24),
    "AS speculative_sampling": _serve("llama-2-70b", "trn1.32xlarge", 128, 1, 32, weight_format="fp32"),
    "AS mixtral-8x7b": _serve("mixtral-8x7b", "inf2.48xlarge", 1024, 1, 16, weight_format="fp16"),
    "HO llama3-70B-trn2, DP2": _serve("llama-3.1-70b", "trn2.48xlarge", 4096, 32, 32, data=2),
    "AI llama3-8b-instruct-rayserve-inf2": _serve("llama-3-8b", "inf2.48xlarge", 4096, 1, 24, weight_format="fp16"),
    "AI vllm-rayserve-inf2": _serve("llama-3-8b", "inf2.8xlarge", 4096, 10, 2),
}

WORKED = {
    "T1 NT hf_llama3.1_8B_config": _train("llama-3.1-8b", "trn1.32xlarge", 32, 8192, 32, data=32, batch=1024),
    "T3 NT hf_llama3_8B_config": _train("llama-3-8b", "trn1.32xlarge", 4, 8192, 32, batch=1024),
    "T3 NT hf_llama3_8B_trn2_config": _train("llama-3-8b", "trn2.48xlarge", 1, 8192, 16, data=4),
    "T4 NT hf_llama3_70B_config": _train("llama-3-70b", "trn1.32xlarge", 16, 8192, 32, 8, batch=1024),
    "T4 NT hf_llama3_70B_CP_config": _train("llama-3-70b", "trn1.32xlarge", 16, 8192, 32, 8, context=2),
    "T4 NT hf_llama3_70B_trn2_config": _train("llama-3-70b", "trn2.48xlarge", 8, 8192, 32, 4),
    "NT hf_llama3.1_405B_trn1_config": _train("llama-3.1-405b", "trn1.32xlarge", 64, 8192, 32, 32, data=2),
    "NT hf_llama3.1_70B_config": _train("llama-3.1-70b", "trn1.32xlarge", 32, 8192, 32, 8, batch=1024),
    "NT hf_mixtral_8x7b_config": _train("mixtral-8x7b", "trn1.32xlarge", 8, 4096, 32, 4),
    "NT megatron_mistral_config": _train("mistral-7b", "trn1.32xlarge", 1, 4096, 8, batch=1024),
    "NT megatron_llama2_7B_SFT_config": _train("llama-2-7b", "trn1.32xlarge", 1, 4096, 8),
    "T6 NT hf_llama3_8B_SFT_config": _train("llama-3-8b", "trn1.32xlarge", 1, 4096, 32),
    "T6 NT hf_llama3_8B_SFT_lora_config": Run("llama-3-8b", "finetune", "trn1.32xlarge", 4096, {"tensor": 32}),
    "T8 ND run_llama2_13B_tp_pp.sh": _train("llama-2-13b", "trn1.32xlarge", 32, 4096, 8, 4),
    "T8 ND run_llama2_70B_tp_pp.sh": _train("llama-2-70b", "trn1.32xlarge", 32, 4096, 32, 8),
    "T8 NT megatron_llama_70b": _train("llama-2-70b", "trn1.32xlarge", 8, 4096, 8, 16),
    "T10 ND dbrx trn1": _train("dbrx", "trn1.32xlarge", 32, 4096, 32, 8),
    "T10 ND dbrx trn2, LNC1": _train("dbrx", "trn2.48xlarge", 16, 4096, 128, logical_nc_config=1),
    "T12 HO finetune_llama.sh trn1": Run(
        "llama-3.1-8b", "finetune", "trn1.32xlarge", 4096, {"tensor": 8}, {"batch": 1}
    ),
    "T12 HO finetune_llama.sh trn2.48": Run(
        "llama-3.1-8b", "finetune", "trn2.48xlarge", 4096, {"tensor": 4}, {"batch": 1}
    ),
    "T12 HO finetune_llama.sh trn2.3": Run(
        "llama-3.1-8b", "finetune", "trn2.3xlarge", 4096, {"tensor": 4}, {"batch": 1}
    ),
    "T13 HO finetune_qwen3.sh": Run("qwen3-8b", "finetune", "trn1.32xlarge", 4096, {"tensor": 8}),
    "S1 HO benchmark/vllm": _serve("llama-3.1-8b", "inf2.48xlarge", 4096, 32, 8, data=3),
    "S2 HO llama-3.1-8b-trn2": _serve("llama-3.1-8b", "trn2.3xlarge", 4096, 32, 4),
    "S4 N feature-guide": _serve("llama-3.1-70b", "trn1.32xlarge", 8192, 1, 16),
    "S4 N trn1 70B tutorial": _serve("llama-3.1-70b", "trn1.32xlarge", 16384, 1, 32),
    "S6 N card_llama33_70b.yml TP64": _serve("llama-3.1-70b", "trn2.48xlarge", 16384, 1, 64),
    "S6 N card_llama33_70b.yml TP32": _serve("llama-3.1-70b", "trn2.48xlarge", 16384, 8, 32, data=2),
    "S7 N tutorial-llama3-70b trn2": _serve("llama-3.1-70b", "trn2.48xlarge", 16384, 8, 16, weight_format="fp8"),
    "S7 N tutorial-llama3-70b trn3": _serve("llama-3.1-70b", "trn3.48xlarge", 16384, 8, 16, weight_format="fp8"),
    "S10 HO qwen3-32B-trn2": _serve("qwen3-32b", "trn2.3xlarge", 4096, 2, 4),
    "S12 HO qwen3-235b": _serve("qwen3-235b-a22b", "trn2.48xlarge", 4096, 4, 64),
    "S12 N card_qwen3_moe_235b.yml": Run(
        "qwen3-235b-a22b",
        "serve",
        "trn2.48xlarge",
        16384,
        {"tensor": 64, "attention_data": 8, "context": 16, "expert": 32},
        {"batch": 16},
    ),
    "S13 HO llama4-Scout trn1": _serve("llama-4-scout", "trn1.32xlarge", 4096, 8, 32),
    "S13 HO llama4-Scout trn2": _serve("llama-4-scout", "trn2.48xlarge", 4096, 32, 64),
    "S15 N tutorial-eagle3 gpt-oss": _serve("gpt-oss-120b", "trn2.48xlarge", 768, 1, 16, weight_format="bf16"),
    "S17 N tutorial-qwen3-vl-32b": _serve("qwen3-vl-32b", "trn2.48xlarge", 8192, 4, 4),
    "S18 N recipe trn2": Run("qwen3-embedding-8b", "embed", "trn2.48xlarge", 8192, {"tensor": 2}, {"batch": 1}),
    "S18 N recipe trn3": Run("qwen3-embedding-8b", "embed", "trn3.48xlarge", 8192, {"tensor": 32}, {"batch": 1}),
    "S20 NI Mixtral": _serve("mixtral-8x7b", "trn1.32xlarge", 4096, 1, 8),
    "S20 NI Phi-3.5-MoE": _serve("phi-3.5-moe", "trn1.32xlarge", 4096, 1, 8),
    "S20 NI Seed-OSS": _serve("seed-oss-36b", "trn1.32xlarge", 4096, 1, 8),
    "S22 N Pixtral-Large": _serve("pixtral-large", "trn2.48xlarge", 8192, 1, 64),
    "S22 N Qwen2-VL-7B": _serve("qwen2-vl-7b", "trn2.48xlarge", 8192, 1, 4),
    "N training_data_decoder.csv, Llama-3.1-70B": _train(
        "llama-3.1-70b", "trn1.32xlarge", 32, 8192, 32, 8, data=4, batch=1024
    ),
    "ND run_llama_70b_tp_pp_ptl.sh": _train("llama-2-70b", "trn1.32xlarge", 32, 4096, 32, 4, batch=1024),
    "ND tp_zero1_llama2_7B_hf_pretrain.sh": _train("llama-2-7b", "trn1.32xlarge", 1, 4096, 8, batch=1024),
    "ND run_mixtral_pretrain_ptl.sh": _train("mixtral-8x7b", "trn1.32xlarge", 4, 4096, 32, 4),
    "NT megatron_mixtral_8x7b_config": _train("mixtral-8x7b", "trn1.32xlarge", 16, 4096, 32, 4),
    "N training-gpt-neox-20b.rst": _train("gpt-neox-20b", "trn1.32xlarge", 4, 2048, 32, data=4),
    "N training_codegen25_7b.rst": _train("codegen25-7b", "trn1.32xlarge", 1, 2048, 8),
    "HO inferentia-llama3.3-70b.mdx": _serve("llama-3.1-70b", "inf2.48xlarge", 4096, 8, 24),
    "HO inferentia-llama3.1-8b.mdx": _serve("llama-3.1-8b", "inf2.48xlarge", 4096, 48, 8),
    "HO data-parallel/llama3.1-8b, dp4": _serve("llama-3.1-8b", "trn1.32xlarge", 4096, 32, 8, data=4),
    "HO llama4-Maverick-trn2": _serve("llama-4-maverick", "trn2.48xlarge", 4096, 8, 64),
    "N llama4-tutorial.ipynb": _serve("llama-4-maverick", "trn2.48xlarge", 16384, 1, 64),
    "HO qwen3-30B-A3B-trn2": _serve("qwen3-30b-a3b", "trn2.3xlarge", 4096, 16, 4),
    "HO qwen3-30B-A3B": _serve("qwen3-30b-a3b", "trn1.32xlarge", 4096, 8, 32),
    "N trn2-llama3.1-405b-speculative-tutorial.rst, BF16": _serve("llama-3.1-405b", "trn2.48xlarge", 12800, 1, 64),
    "N trn2-llama3.3-70b-fp8.rst": _serve("llama-3.1-70b", "trn2.48xlarge", 5120, 4, 64, weight_format="fp8"),
    "N pixtral-tutorial.ipynb": _serve("pixtral-large", "trn2.48xlarge", 10240, 4, 64),
    "N qwen3-vl-tutorial.ipynb": _serve("qwen3-vl-8b", "trn2.48xlarge", 32768, 1, 16),
    "N tutorial-gpt-oss.md, 120b": _serve("gpt-oss-120b", "trn3.48xlarge", 16384, 4, 8),
    "N tutorial-gpt-oss.md, 20b": _serve("gpt-oss-20b", "trn2.48xlarge", 16384, 4, 8, weight_format="bf16"),
    "N inf2 throughput, Llama-3-8B": _serve("llama-3-8b", "inf2.48xlarge", 8192, 8, 24, weight_format="int8"),
    "N inf2 throughput, CodeLlama-13b": _serve("codellama-13b", "inf2.48xlarge", 16384, 4, 24),
    "N tutorial-gpt-oss.md, decode": Run(
        "gpt-oss-120b", "serve", "trn3.48xlarge", 16384, {"tensor": 8, "data": 8, "expert": 64}, {"batch": 4}
    ),
    "N llama4-tutorial.ipynb, CP16": Run(
        "llama-4-scout", "serve", "trn2.48xlarge", 16384, {"tensor": 64, "context": 16}, {"batch": 1}
    ),
    "N card_qwen3_moe_235b.yml, 64 sequences": Run(
        "qwen3-235b-a22b",
        "serve",
        "trn2.48xlarge",
        16384,
        {"tensor": 64, "attention_data": 8, "context": 16, "expert": 32},
        {"batch": 64},
    ),
    "NI AFM-4.5B": _serve("afm-4.5b", "trn1.32xlarge", 128, 1, 1),
    "NI c4ai-command-r7b": _serve("command-r7b", "trn1.32xlarge", 2048, 1, 8),
    "NI gemma-2b": _serve("gemma-2b", "trn1.32xlarge", 512, 1, 1),
    "NI starcoder2-3b": _serve("starcoder2-3b", "trn1.32xlarge", 512, 1, 1),
    "N trn1 throughput, Llama-2-13b": _serve("llama-2-13b", "trn1.32xlarge", 16384, 4, 32),
    "N trn1 throughput, Mistral-7B": _serve("mistral-7b", "trn1.32xlarge", 16384, 8, 32),
    "aws-neuron/aws-neuron-sdk#741": _serve("llama-2-13b", "inf2.8xlarge", 2048, 1, 2, weight_format="fp16"),
    "NI Mistral-Small-3.1": _serve("mistral-small-24b", "trn1.32xlarge", 512, 1, 8),
    "NI GLM-5.2 FP8": _serve("glm-5.2-fp8", "trn2.48xlarge", 2048, 1, 64),
    "NI Trinity Nano, weights divided": _serve("trinity-nano", "inf2.xlarge", 2048, 1, 1, has_divided_weights=True),
    "NI Trinity Nano": _serve("trinity-nano", "inf2.8xlarge", 2048, 1, 1),
    "NI Trinity Mini": _serve("trinity-mini", "trn2.3xlarge", 32768, 1, 4),
    "NI MiniMax-M3, 2,048 tokens": Run(
        "minimax-m3", "serve", "trn2.48xlarge", 2048, {"tensor": 64, "expert": 64}, {"batch": 8}
    ),
    "NI MiniMax-M3, 4,096 tokens": Run(
        "minimax-m3", "serve", "trn2.48xlarge", 4096, {"tensor": 64, "expert": 64}, {"batch": 4}
    ),
    "NI DeepSeek-V3": _serve("deepseek-v3", "trn2.48xlarge", 512, 1, 64, weight_format="bf16"),
    **_CONTRIBUTED,
    **_BENCHMARKS,
    **_SAMPLES,
    "X3 NI Trinity TP64": _serve("trinity-large", "trn2.48xlarge", 4096, 1, 64),
    "X4 NI MiniMax-M3, short": Run(
        "minimax-m3", "serve", "trn2.48xlarge", 512, {"tensor": 64, "expert": 64}, {"batch": 32}
    ),
}
FAILED = {
    "X1 N gpt-oss TP8": _serve("gpt-oss-120b", "trn2.48xlarge", 768, 1, 8, weight_format="bf16"),
    "X3 NI Trinity TP32": _serve("trinity-large", "trn2.48xlarge", 4096, 1, 32),
    "X4 NI MiniMax-M3, long": Run(
        "minimax-m3", "serve", "trn2.48xlarge", 8192, {"tensor": 64, "expert": 64}, {"batch": 8}
    ),
    "X4 NI MiniMax-M3, 4 sequences": Run(
        "minimax-m3", "serve", "trn2.48xlarge", 8192, {"tensor": 64, "expert": 64}, {"batch": 4}
    ),
    "X6 aws-neuron/transformers-neuronx#92": Run("llama-3-70b", "serve", "inf2.24xlarge", 8192, {}, {"batch": 1}),
    "X6 the same with fewer tokens": Run("llama-3-70b", "serve", "inf2.24xlarge", 2048, {}, {"batch": 1}),
    "X8 philschmid/huggingface-inferentia2-samples#12, its shape is not published": _serve(
        "llama-3-70b", "inf2.48xlarge", 8192, 64, 24
    ),
    "NI DeepSeek-V3, TP32": _serve("deepseek-v3", "trn2.48xlarge", 512, 1, 32, weight_format="bf16"),
    "NI DeepSeek-V3, LNC1": Run(
        "deepseek-v3",
        "serve",
        "trn2.48xlarge",
        512,
        {"logical_nc_config": 1},
        {"batch": 1, "weight_format": "bf16"},
    ),
    "NI GLM-5.2 BF16": Run("glm-5.2-fp8", "serve", "trn2.48xlarge", 2048, {}, {"batch": 1, "weight_format": "bf16"}),
    "NI Trinity Nano, 16 GiB of host memory": Run("trinity-nano", "serve", "inf2.xlarge", 2048, {}, {"batch": 1}),
    "NI Trinity Mini": Run(
        "trinity-mini", "serve", "inf2.8xlarge", 2048, {}, {"batch": 1, "has_divided_weights": True}
    ),
    "aws-neuron/aws-neuron-sdk#749": _serve("llama-2-13b", "inf2.24xlarge", 2048, 1, 24),
    "aws-neuron/aws-neuron-sdk#1014, 2024-10, traced for one core": _serve(
        "llava-1.5-7b", "trn1.32xlarge", 1024, 1, 1, weight_format="fp32"
    ),
    "vllm-project/vllm#6452, 2024-07, one core": _serve("mistral-7b-v0.3", "inf2.48xlarge", 32768, 1, 1),
    "aws-neuron/neuronx-distributed#53": Run("llama-3.1-8b", "serve", "trn1.2xlarge", 64, {}, {"batch": 2}),
}


def _fitting(run: Run) -> int:
    found = recommended(fixture_model(run.model), run.task, run.length, **run.division, **run.options)
    return len(choices_on(found, run.instance_type, run.count))


@pytest.mark.parametrize("run", WORKED.values(), ids=WORKED.keys())
def test_a_published_run_is_among_what_fits(run: Run) -> None:
    assert _fitting(run) > 0


SET_BY_HAND = {"S12 N card_qwen3_moe_235b.yml", "N card_qwen3_moe_235b.yml, 64 sequences"}
"""Attention data parallelism is not searched."""


SEARCHED = [name for name in WORKED if name not in SET_BY_HAND]
OF_EACH_MACHINE = {
    (run.task, run.instance_type, "pipeline" in run.division, len(run.options)): name
    for name, run in WORKED.items()
    if name in SEARCHED
}


@pytest.mark.parametrize("name", in_every_run(sorted(SEARCHED), OF_EACH_MACHINE.values()))
def test_the_division_of_a_published_run_is_found_by_the_search(name: str) -> None:
    run = WORKED[name]
    found = recommended(fixture_model(run.model), run.task, run.length, **run.options)
    sizes = {
        (each.fit.layout.tensor, each.fit.layout.pipeline) for each in choices_on(found, run.instance_type, run.count)
    }
    assert (run.division.get("tensor"), run.division.get("pipeline", 1)) in sizes


@pytest.mark.parametrize("run", FAILED.values(), ids=FAILED.keys())
def test_a_published_failure_is_not(run: Run) -> None:
    assert _fitting(run) == 0


@pytest.mark.parametrize(
    ("run", "gib"),
    [
        ("S1 HO benchmark/vllm", 3.9),
        ("S2 HO llama-3.1-8b-trn2", 7.7),
        ("S10 HO qwen3-32B-trn2", 15.8),
        ("S15 N tutorial-eagle3 gpt-oss", 13.6),
        ("S17 N tutorial-qwen3-vl-32b", 17.6),
        ("S20 NI Mixtral", 10.9),
    ],
)
def test_the_memory_of_a_core_is_that_of_the_published_run(run: str, gib: float) -> None:
    case = WORKED[run]
    found = recommended(fixture_model(case.model), case.task, case.length, **case.division, **case.options)
    (fit,) = [
        each.fit
        for each in choices_on(found, case.instance_type)
        if each.fit.machine.is_default_config and each.fit.layout.expert == 1
    ]
    assert sum(term.size for term in fit.terms) / 2**30 == pytest.approx(gib, rel=0.05)
