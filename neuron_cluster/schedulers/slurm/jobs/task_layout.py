"""Checks that the tasks of a job and its segments fit the number of its nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from neuron_cluster.findings.text import counted
from neuron_cluster.schedulers.slurm.jobs.finding_specs import AMOUNT, INPUT
from neuron_cluster.schedulers.slurm.jobs.job import JobFinding
from neuron_cluster.schedulers.slurm.jobs.node_resources import TASKS, TASKS_PER_NODE, THREADS
from neuron_cluster.schedulers.slurm.jobs.placement import Placement

TASKS_PER_CORE, DISTRIBUTION, SEGMENT = "--ntasks-per-core", "--distribution", "--segment"
ARBITRARY, PLANE = "arbitrary", "plane="


def layout_findings(placed: Placement, directives: Mapping[str, str]) -> Iterator[JobFinding]:
    """``directives``: values of the options of sbatch that the script has, which sbatch reads.

    Source: SchedMD/slurm slurm-26.05: src/sbatch/opt.c (_opt_verify), src/common/slurm_opt.c, doc/man/man1/sbatch.1.
    """
    nodes = placed.nodes
    tasks, per_node = (int(directives[name]) if name in directives else None for name in (TASKS, TASKS_PER_NODE))
    if tasks is not None and per_node is not None and tasks > nodes * per_node:
        message = f"{TASKS}={tasks}, but {counted(nodes, 'node')} with {TASKS_PER_NODE}={per_node} have fewer tasks"
        hint = f"remove {TASKS}, or request {nodes * per_node} tasks at most"
        yield JobFinding(AMOUNT, "--sbatch", message, hint)
    elif tasks is not None and tasks < nodes:
        message = f"{TASKS}={tasks}, but the job has {nodes} nodes: Slurm would start it on {tasks}"
        yield JobFinding(AMOUNT, "--sbatch", message, f"remove {TASKS}, or set --nodes {tasks}")
    per_core, threads = (int(directives.get(name, "0")) for name in (TASKS_PER_CORE, THREADS))
    if threads and per_core > threads:
        message = f"{TASKS_PER_CORE}={per_core} is more than {THREADS}={threads}"
        yield JobFinding(AMOUNT, "--sbatch", message, f"remove {TASKS_PER_CORE}")
    segment = int(directives.get(SEGMENT, "1"))
    if nodes > segment and nodes % segment:
        message = f"{SEGMENT}={segment} does not divide the {nodes} nodes of the job"
        yield JobFinding(AMOUNT, "--sbatch", message, f"remove {SEGMENT}, or set --nodes {nodes - nodes % segment}")
    yield from _distribution_findings(nodes, tasks or 1, directives.get(DISTRIBUTION, "").lower())


def _distribution_findings(nodes: int, tasks: int, distribution: str) -> Iterator[JobFinding]:
    first = distribution.partition(":")[0].partition(",")[0]
    size = int(first.removeprefix(PLANE)) if first.startswith(PLANE) else 0
    if first == ARBITRARY:
        message = f"{DISTRIBUTION}={distribution}: sbatch rejects it together with --nodes, which the job has"
        yield JobFinding(INPUT, "--sbatch", message, f"use {DISTRIBUTION}=block or cyclic")
    elif size and tasks // size < nodes and (nodes - 1) * size >= tasks:
        message = f"{DISTRIBUTION}={distribution} needs more than {(nodes - 1) * size} tasks on {nodes} nodes"
        yield JobFinding(AMOUNT, "--sbatch", message, f"use {DISTRIBUTION}=block or cyclic")
