"""The model of a job of Slurm is judged by the calculations of charts: device memory of a core, memory of the host."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding
from neuron_cluster.schedulers.slurm.jobs.job_models import PlacedJob, job_model_findings
from neuron_cluster.sizing.model_shape import ModelShape, shape_of_file
from tests.unit.schedulers.kubernetes.conftest import Choose

CATALOG = load_catalog()

MODELS = Path(__file__).parents[4] / "fixtures" / "models"
MIB_OF_GIB = 1024
Judge = Callable[..., list[Finding]]


@pytest.fixture
def judge(cached_plan: Any, catalog: Catalog) -> Judge:
    """Findings of a server on nodes of one type, which has all of their devices."""

    def found(shape: ModelShape, kind: str, *arguments: str, devices: int = 1, **changes: Any) -> list[Finding]:
        plan = cached_plan("slurm-trn2-block")
        group = next(each for each in plan.cluster_groups if each.name == "trn2")
        row = catalog.instance_types.get(kind)
        assert row is not None
        memory = (row.memory_gib or 0) * MIB_OF_GIB
        cores = 4 * devices if kind.startswith("trn2") else 2 * devices
        job = PlacedJob(
            name="serve-vllm",
            frameworks=("vllm", "vllm_nxd"),
            fills_compile_cache=False,
            arguments=arguments,
            script="",
            machine=replace(group.machine, instance_type=kind, neuroncores=cores),
            nodes=1,
            devices=devices,
            usable_memory=memory * 95 // 100,
            most_memory=memory,
            variables={},
            sdk="2.32.0",
            region=plan.region,
            zone_ids=group.zone_ids,
        )
        return list(job_model_findings(replace(job, **changes), shape, catalog))

    return found


def of_layers(folder: Path, layers: int) -> ModelShape:
    """Returns the shape of Llama 3 8B with this many layers: each takes about 0.8 GiB of host memory."""
    fields = json.loads((MODELS / "llama-3-8b.json").read_text())
    file = folder / "config.json"
    file.write_text(json.dumps({**fields, "num_hidden_layers": layers}))
    return shape_of_file(file, CATALOG)


@pytest.mark.parametrize("length", [4096, 262144])
def test_a_job_and_a_chart_have_one_limit_of_device_memory(length: int, judge: Judge, choose: Choose) -> None:
    shape = shape_of_file(MODELS / "llama-3-8b.json", CATALOG)
    given = {"machine": {"neuronDevices": 1}, "model": {"maxModelLen": length, "tensorParallelSize": 4}}
    try:
        chosen = choose("neuron-serving", "train-trn2", claim="lustre", given=given, model=shape).findings
    except InvalidEnvironment as refusal:
        chosen = refusal.findings
    arguments = ("--tensor-parallel-size=4", f"--max-model-len={length}")
    of_job = [each.message for each in judge(shape, "trn2.3xlarge", *arguments) if each.id == "E9261"]
    of_chart = [each.message.replace("model.maxModelLen", "--max-model-len") for each in chosen if each.id == "E9261"]
    assert of_job == of_chart
    assert bool(of_job) == (length > 4096)


@pytest.mark.hints("E9261")
def test_the_length_in_the_hint_leaves_room_for_a_request(judge: Judge) -> None:
    shape = shape_of_file(MODELS / "llama-3-8b.json", CATALOG)
    tensor = "--tensor-parallel-size=4"
    (long,) = judge(shape, "trn2.3xlarge", tensor, "--max-model-len=262144")
    longest = re.search(r"set --max-model-len to (\d+) at most", long.hint)
    assert longest is not None
    assert judge(shape, "trn2.3xlarge", tensor, f"--max-model-len={longest[1]}") == []


def test_a_job_has_the_memory_that_slurm_leaves_to_jobs(judge: Judge, tmp_path: Path) -> None:
    """95 % of the 128 GiB are 121: more than a pod of EKS gets, less than the instance has."""
    arguments = ("--tensor-parallel-size=4", "--gpu-memory-utilization=1")
    assert judge(of_layers(tmp_path, 138), "trn2.3xlarge", *arguments) == []
    (short,) = judge(of_layers(tmp_path, 144), "trn2.3xlarge", *arguments)
    assert (short.id, "the host of trn2.3xlarge has 128 GiB, 121 of them for a job" in short.message) == ("W9298", True)
    assert "at least 2,048 GiB of memory, for example trn2.48xlarge" in short.hint
    assert "--mem" not in short.hint
    larger = judge(of_layers(tmp_path, 144), "trn2.48xlarge", *arguments, devices=16)
    assert larger == []


@pytest.mark.hints("W9298")
def test_the_memory_in_the_hint_is_enough_for_the_job(judge: Judge) -> None:
    shape = shape_of_file(MODELS / "llama-3-8b.json", CATALOG)
    arguments = ("--tensor-parallel-size=4",)
    (share,) = judge(shape, "trn2.3xlarge", *arguments, script="#SBATCH --mem=20480M")
    assert "--mem is 20 GiB" in share.message
    needed = re.search(r"set --sbatch=--mem=(\d+)G ", share.hint)
    assert needed is not None
    assert judge(shape, "trn2.3xlarge", *arguments, script=f"#SBATCH --mem={int(needed[1]) * MIB_OF_GIB}M") == []


def test_a_job_on_a_chip_of_nxd_inference_counts_the_cache_of_all_requests(judge: Judge) -> None:
    shape = shape_of_file(MODELS / "llama-3-8b.json", CATALOG)
    arguments = ("--tensor-parallel-size=2", "--max-model-len=16384")
    assert judge(shape, "inf2.8xlarge", *arguments, "--max-num-seqs=1") == []
    (many,) = judge(shape, "inf2.8xlarge", *arguments, "--max-num-seqs=32")
    assert (many.id, "32 requests of 16384 tokens" in many.message) == ("E9261", True)
