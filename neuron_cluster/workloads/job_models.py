"""The model of a job: whether the cores of its nodes can share it, and hold it, and the host can load it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.machine_plan import MachinePlan
from neuron_cluster.workloads.host_memory import host_shortfalls
from neuron_cluster.workloads.model_division import division_problems
from neuron_cluster.workloads.model_shape import ModelShape
from neuron_cluster.workloads.program_options import whole_option
from neuron_cluster.workloads.training_checks import state_shortfall, trainer_problems

GIB, MIB_OF_GIB = 2**30, 1024
OPTION, RUN = "--model-config", "--run"
TENSOR = ("--tensor-parallel-size", "-tp")
MEMORY, MEMORY_OF_DEVICE = "#SBATCH --mem=", "#SBATCH --mem-per-gpu="
VLLM, TRAINING = "vllm", ("jax", "pytorch")


class PlacedJob(Struct, frozen=True):
    """A job with its script, and the part of each node that it has."""

    name: str
    frameworks: tuple[str, ...]
    fills_compile_cache: bool
    words: tuple[str, ...]
    script: str
    machine: MachinePlan
    nodes: int
    devices: int

    @property
    def memory(self) -> tuple[str, float] | None:
        """The option of sbatch with the memory of a node that the job has, in GiB; None for all of it."""
        for line in self.script.splitlines():
            for prefix, factor in ((MEMORY, 1), (MEMORY_OF_DEVICE, self.devices)):
                amount = line.removeprefix(prefix).removesuffix("M")
                if line.startswith(prefix) and amount.isdecimal() and int(amount):
                    return prefix.rpartition(" ")[2].rstrip("="), int(amount) * factor / MIB_OF_GIB
        return None


def job_model_findings(job: PlacedJob, shape: ModelShape, catalog: Catalog) -> Iterator[Finding]:
    """E9221 for a job without a model; E9261, E9262, W9263, E9297 and W9298 as for charts."""
    row = catalog.instance_type(job.machine.instance_type)
    chip = catalog.chip(row.chip) if row is not None and row.chip is not None else None
    if row is None or chip is None or not row.neuron_devices:
        return
    cores = (job.machine.neuroncores or row.neuron_cores or 0) * job.devices // row.neuron_devices
    if job.fills_compile_cache:
        yield from _host(job, shape, chip, catalog)
    elif VLLM in job.frameworks:
        yield from _server(job, shape, chip, max(cores, 1))
        yield from _host(job, shape, chip, catalog)
    elif set(TRAINING) & set(job.frameworks):
        for problem in trainer_problems(job.words, shape, max(cores, 1)):
            yield _finding(job, problem.id, RUN, problem.message, problem.hint)
        found = state_shortfall(shape, chip, job.nodes, job.devices, catalog)
        if found is not None:
            yield _finding(job, "W9263", "--nodes", *found)
    else:
        yield _finding(job, "E9221", OPTION, f"{job.name} neither serves nor trains a model", f"leave {OPTION} out")


def _server(job: PlacedJob, shape: ModelShape, chip: Chip, cores: int) -> Iterator[Finding]:
    tensor = whole_option(job.words, *TENSOR) or 1
    for problem in division_problems(shape, VLLM, tensor=tensor, cores=cores):
        hint = f"set {TENSOR[0]} to {', '.join(map(str, problem.sizes))}"
        yield _finding(job, problem.id, RUN, problem.message, hint)
    core_bytes = chip.device_memory_gib * GIB * job.devices / cores
    if shape.weight_bytes is not None and shape.weight_bytes / tensor > core_bytes:
        message = (
            f"{shape.name} needs {shape.weight_bytes / tensor / GIB:.1f} GiB of each of {tensor} cores, which have "
            f"{core_bytes / GIB:.1f}"
        )
        yield _finding(job, "E9261", RUN, message, f"set {TENSOR[0]} and --devices higher, or use quantized weights")


def _host(job: PlacedJob, shape: ModelShape, chip: Chip, catalog: Catalog) -> Iterator[Finding]:
    row = catalog.instance_type(job.machine.instance_type)
    for each in host_shortfalls(shape, chip, row, job.memory, catalog):
        option = f"--sbatch=--mem={each.needed_gib}G, as far as the nodes have it"
        if each.is_of_host:
            option = f"a --group of a type with {each.needed_gib} GiB of memory, or a model with smaller weights"
        yield _finding(job, each.id, OPTION, each.message, f"use {option}; `neuron-cluster recommend` compares types")


def _finding(job: PlacedJob, finding_id: str, option: str, message: str, hint: str) -> Finding:
    return Finding(finding_id, Location(f"jobs/{job.name}", path=option), message, hint)
