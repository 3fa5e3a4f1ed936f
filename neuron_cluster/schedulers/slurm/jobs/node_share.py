"""CPUs and memory that a job requests of nodes that it shares with other jobs, in addition to its Neuron devices."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.schedulers.slurm.jobs.job import Job, JobOptions
from neuron_cluster.schedulers.slurm.jobs.known_jobs import has_whole_nodes
from neuron_cluster.schedulers.slurm.jobs.node_resources import GIB, REAL_MEMORY, cores
from neuron_cluster.schedulers.slurm.jobs.placement import Placement
from neuron_cluster.schedulers.slurm.jobs.sbatch_options import OF_MEMORY

OF_PROCESSORS = ("--cpus-per-gpu", "--cpus-per-task")
MEMORY_PART = 0.75
"""The part of the instance's memory. No source has how much PCS leaves to jobs without ``RealMemory``."""


def node_share(job: Job, placed: Placement, row: InstanceType, options: JobOptions, catalog: Catalog) -> list[str]:
    """Options of sbatch: CPUs and memory as the job's part of the devices. Without them it has one CPU, and all memory.

    Empty where the job has its nodes for itself.
    """
    given = {each.partition("=")[0] for each in options.scheduler_options}
    if placed.queue.has_whole_nodes or has_whole_nodes(job) or "--exclusive" in given or placed.group.gres is None:
        return []
    devices, share = placed.group.gres.count, []
    if row.vcpus is not None and given.isdisjoint(OF_PROCESSORS):
        share.append(f"--cpus-per-gpu={cores(row.vcpus, catalog) // devices}")
    memory = _memory(placed.group.settings.get(REAL_MEMORY, ""), row)
    if memory is not None and given.isdisjoint(OF_MEMORY):
        share.append(f"--mem-per-gpu={memory // devices}M")
    return share


def _memory(real_memory: str, row: InstanceType) -> int | None:
    """MiB of a node for jobs. None where it is not known."""
    if real_memory:
        return int(real_memory) if real_memory.isdecimal() else None
    return int(row.memory_gib * GIB * MEMORY_PART) if row.memory_gib is not None else None
