"""The model of a job: whether the cores of its nodes can share it, and hold it, and the host can load it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.machine_plan import MachinePlan
from neuron_cluster.sizing.device_memory import CAP_VARIABLE, VLLM, Names, ServedModel, device_shortfall
from neuron_cluster.sizing.host_memory import HostMemory, host_with_share
from neuron_cluster.sizing.host_problem import host_problem
from neuron_cluster.sizing.model_division import division_problems, groups_of_vllm
from neuron_cluster.sizing.model_shape import ModelShape
from neuron_cluster.sizing.program_options import whole_option
from neuron_cluster.sizing.serving_software import last_release_of_servers
from neuron_cluster.sizing.trainer import state_shortfall, trainer_problems

GIB, MIB, MIB_OF_GIB = 2**30, 2**20, 1024
OPTION, RUN = "--model-config", "--run"
TENSOR, LENGTH, REQUESTS = ("--tensor-parallel-size", "-tp"), "--max-model-len", "--max-num-seqs"
MEMORY, MEMORY_OF_DEVICE = "#SBATCH --mem=", "#SBATCH --mem-per-gpu="
TRAINING = ("jax", "pytorch")


class PlacedJob(Struct, frozen=True):
    """A job with its script, and the part of each node that it has."""

    name: str
    frameworks: tuple[str, ...]
    fills_compile_cache: bool
    arguments: tuple[str, ...]
    script: str
    machine: MachinePlan
    nodes: int
    devices: int
    usable_memory: int | None
    """MiB of a node that jobs can request; None where no source has it."""
    most_memory: int | None
    """MiB that they cannot exceed, where the other is an estimate."""
    variables: Mapping[str, str]
    sdk: str
    region: str
    zone_ids: tuple[str, ...]
    """Zone ids of its group."""

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
    row = catalog.instance_types.get(job.machine.instance_type)
    chip = catalog.chips.get(row.chip) if row is not None and row.chip is not None else None
    if row is None or chip is None or not row.neuron_devices:
        return
    cores = (job.machine.neuroncores or row.neuron_cores or 0) * job.devices // row.neuron_devices
    if job.fills_compile_cache:
        yield from _host(job, shape, chip, row, catalog)
    elif VLLM in job.frameworks:
        yield from _server(job, shape, chip, max(cores, 1), catalog)
        yield from _host(job, shape, chip, row, catalog)
    elif set(TRAINING) & set(job.frameworks):
        for problem in trainer_problems(job.arguments, shape, max(cores, 1), catalog):
            yield _finding(job, problem.id, RUN, problem.message, problem.hint)
        found = state_shortfall(shape, chip, job.nodes, job.devices, catalog)
        if found is not None:
            yield _finding(job, "W9263", "--nodes", *found)
    else:
        yield _finding(job, "E9221", OPTION, f"{job.name} neither serves nor trains a model", f"leave {OPTION} out")


def _server(job: PlacedJob, shape: ModelShape, chip: Chip, cores: int, catalog: Catalog) -> Iterator[Finding]:
    tensor, engine = whole_option(job.arguments, *TENSOR) or 1, _engine(job, chip, catalog)
    groups = groups_of_vllm(job.arguments)
    for problem in division_problems(shape, engine, catalog, tensor=tensor, cores=cores, expert_groups=groups):
        yield _finding(job, problem.id, RUN, problem.message, problem.hint(f"set {TENSOR[0]} to"))
    served = ServedModel(
        shape=shape,
        chip=chip,
        tensor=tensor,
        devices=job.devices,
        cores=cores,
        length=whole_option(job.arguments, LENGTH) or 0,
        requests=whole_option(job.arguments, REQUESTS) or 1,
        arguments=job.arguments,
        cache_share=job.variables.get(CAP_VARIABLE),
        names=Names(tensor=TENSOR[0], devices="--devices", length=LENGTH, requests=REQUESTS),
    )
    if (found := device_shortfall(served, engine, catalog)) is not None:
        yield _finding(job, "E9261", RUN, *found)


def _engine(job: PlacedJob, chip: Chip, catalog: Catalog) -> str:
    """The first of the job that runs on the chip; an environment of the user may have the one that did last."""
    rows = [row for name in job.frameworks if (row := catalog.frameworks.get(name)) is not None]
    last = last_release_of_servers(chip.name, catalog)
    former = last.framework if last is not None else VLLM
    return next((row.name for row in rows if row.runs_on(chip.name, job.sdk)), former)


def _host(job: PlacedJob, shape: ModelShape, chip: Chip, row: InstanceType, catalog: Catalog) -> Iterator[Finding]:
    usable, most = job.usable_memory, job.most_memory
    host = None
    if usable is not None and most is not None:
        free = usable * MIB
        host = HostMemory(
            free=free, most=most * MIB, share=free, instance_type=row.name, instance_gib=row.memory_gib, user="job"
        )
    name, share = job.memory or ("--mem", inf)
    shared = host_with_share(host, name, share * GIB)
    found = host_problem(shape, chip, shared, "--sbatch=--mem={}G", catalog, job.region, job.zone_ids)
    if found is not None:
        yield _finding(job, found.id, OPTION, found.message, found.hint)


def _finding(job: PlacedJob, finding_id: str, option: str, message: str, hint: str) -> Finding:
    return Finding(finding_id, Location(f"jobs/{job.name}", path=option), message, hint)
