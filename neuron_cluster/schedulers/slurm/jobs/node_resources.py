"""CPUs, memory and temporary disk space that a job requests of each node, compared with those of the group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.text import listed
from neuron_cluster.schedulers.slurm.jobs.finding_specs import AMOUNT, UNKNOWN_AMOUNT
from neuron_cluster.schedulers.slurm.jobs.job import JobFinding
from neuron_cluster.schedulers.slurm.jobs.placement import Placement
from neuron_cluster.schedulers.slurm.jobs.sbatch_options import OF_MEMORY
from neuron_cluster.schedulers.slurm.setting_values import SIZE

CPUS_PER_TASK, TASKS_PER_NODE, TASKS = "--cpus-per-task", "--ntasks-per-node", "--ntasks"
MINIMUM_CPUS, CPUS_PER_DEVICE, TASKS_PER_SOCKET = "--mincpus", "--cpus-per-gpu", "--ntasks-per-socket"
SOCKETS, CORES, THREADS = SHAPE = ("--sockets-per-node", "--cores-per-socket", "--threads-per-core")
SHAPE_IN_ONE, OVERCOMMIT = "--extra-node-info", "--overcommit"
COUNTS = (
    *(CPUS_PER_TASK, TASKS_PER_NODE, TASKS, MINIMUM_CPUS, CPUS_PER_DEVICE),
    *(TASKS_PER_SOCKET, SOCKETS, CORES, SHAPE_IN_ONE),
)
MEMORY, MEMORY_PER_CPU, MEMORY_PER_DEVICE = OF_MEMORY
TEMPORARY = "--tmp"
REAL_MEMORY, RESERVED_MEMORY = "RealMemory", "MemSpecLimit"
GIB = 1024
"""MiB of a GiB."""
UNITS = {"K": 1 / GIB, "": 1, "M": 1, "G": GIB, "T": GIB**2}
"""MiB of each. Source: SchedMD/slurm@284c3b9 src/common/proc_args.c, str_to_mbytes."""


class NodeAmounts(Struct, frozen=True):
    """CPUs, memory and other amounts of a node of the group for jobs; None where no source has it."""

    cpus: int | None
    memory: int | None
    """MiB: as the settings of the group say, otherwise all of the instance."""
    usable_memory: int | None
    """The same, but of the instance the part that ParallelCluster leaves to jobs."""
    is_memory_set: bool
    """Whether the settings say it. Otherwise the service has a smaller value that it does not document."""


def cores(vcpus: int, catalog: Catalog) -> int:
    """CPUs of a node in Slurm: PCS turns off all threads of a core but one, and HyperPod as the toolkit asks.

    Source: https://docs.aws.amazon.com/pcs/latest/userguide/working-with_launch-templates.html (ThreadsPerCore)
    """
    return vcpus // catalog.limits["vcpus_per_core"].require_maximum()


def mebibytes(text: str) -> int | None:
    """MiB of a size of sbatch, rounded up; None for what it does not read (decimals, other units)."""
    found = SIZE.fullmatch(text)
    return -int(-int(found[1]) * UNITS[(found[2] or "").upper()] // 1) if found else None


def node_amounts(placed: Placement, catalog: Catalog) -> NodeAmounts:
    row, settings = catalog.instance_types.get(placed.group.machine.instance_type), placed.group.settings
    real, reserved = settings.get(REAL_MEMORY, ""), settings.get(RESERVED_MEMORY, "0")
    of_instance = int(row.memory_gib * GIB) if row is not None and row.memory_gib is not None else None
    memory = int(real) if real.isdecimal() else of_instance
    if memory is not None and reserved.isdecimal():
        memory -= int(reserved)
    cpus = cores(row.vcpus, catalog) if row is not None and row.vcpus is not None else None
    part = 100 if real.isdecimal() else catalog.limits["parallelcluster_real_memory_percent"].require_maximum()
    usable = memory * part // 100 if memory is not None else None
    return NodeAmounts(cpus, memory, usable, is_memory_set=real.isdecimal())


def resource_findings(
    placed: Placement, directives: Mapping[str, str], has_whole_nodes: bool, catalog: Catalog
) -> Iterator[JobFinding]:
    """``directives``: values of the options of sbatch that the script has, which sbatch reads."""
    sizes = {name: mebibytes(directives[name]) or 0 for name in (*OF_MEMORY, TEMPORARY) if name in directives}
    amounts = node_amounts(placed, catalog)
    cpus = _cpus(placed, directives)
    yield from _cpu_findings(placed, amounts, cpus, directives)
    if has_whole_nodes and amounts.cpus is not None:
        cpus = amounts.cpus
    yield from _memory_findings(placed, amounts, cpus, sizes, directives)


def uncertain_amounts(placed: Placement, directives: Mapping[str, str], catalog: Catalog) -> Iterator[JobFinding]:
    """W9421: what a job requests of a node, where its service decides how much that has."""
    size = mebibytes(directives.get(TEMPORARY, "0")) or 0
    if size:
        service = placed.group.service
        message = f"{TEMPORARY}={directives[TEMPORARY]}: {service} accepts no TmpDisk, and Slurm has none by default"
        hint = f"remove {TEMPORARY}: jobs may use the root volume of their nodes without it"
        yield JobFinding(UNKNOWN_AMOUNT, "--sbatch", message, hint)
    sockets, of_socket, _ = shape(directives)
    per_socket = int(directives.get(TASKS_PER_SOCKET, "1"))
    if max(sockets, of_socket, per_socket) > 1:
        names = [name for name in (SHAPE_IN_ONE, SOCKETS, CORES, TASKS_PER_SOCKET) if name in directives]
        message = (
            f"{listed(names)}: no source has the sockets of nodes of {placed.group.service}, and the cores of each"
        )
        hint = f"remove {listed(names)}: {CPUS_PER_TASK} and {MINIMUM_CPUS} request CPUs"
        yield JobFinding(UNKNOWN_AMOUNT, "--sbatch", message, hint)
    amounts = node_amounts(placed, catalog)
    size = mebibytes(directives.get(MEMORY, "0")) or 0
    if amounts.is_memory_set or amounts.memory is None or amounts.usable_memory is None:
        return
    if size > amounts.usable_memory:
        part = catalog.limits["parallelcluster_real_memory_percent"].require_maximum()
        message = (
            f"{MEMORY}={directives[MEMORY]} is more than {part} % of the {amounts.memory // GIB} GiB of "
            f"{placed.group.machine.instance_type}, and no source has the {REAL_MEMORY} of {placed.group.service}"
        )
        hint = f"set {REAL_MEMORY} in the settings of {placed.group.name}, or request {MEMORY}=0, which is all memory"
        if not placed.group.takes_settings:
            hint = f"request {MEMORY}=0, which is all memory"
        yield JobFinding(UNKNOWN_AMOUNT, "--sbatch", message, hint)


def shape(directives: Mapping[str, str]) -> tuple[int, int, int]:
    """Sockets of a node, cores of a socket and threads of a core that a job requests at least."""
    in_one = dict(zip(SHAPE, directives.get(SHAPE_IN_ONE, "").split(":"), strict=False))
    texts = [in_one.get(name) or directives.get(name, "1") for name in SHAPE]
    sockets, cores, threads = (int(text) if text.isdecimal() else 1 for text in texts)
    return sockets, cores, threads


def _cpus(placed: Placement, directives: Mapping[str, str]) -> int:
    """Returns the number of CPUs that Slurm allocates to the job on its fullest node."""
    per_task = int(directives.get(CPUS_PER_TASK, "1"))
    is_limited = OVERCOMMIT in directives or TASKS_PER_NODE in directives  # then the latter is the most of a node
    tasks = 1 if is_limited else -(-int(directives.get(TASKS, "1")) // placed.nodes)
    on_node = max(tasks, *(int(directives.get(name, "1")) for name in (TASKS_PER_NODE, TASKS_PER_SOCKET)))
    of_devices = int(directives.get(CPUS_PER_DEVICE, "0")) * placed.devices
    sockets, of_socket, _ = shape(directives)
    return max(on_node * per_task, of_devices, int(directives.get(MINIMUM_CPUS, "0")), sockets * of_socket)


def _cpu_findings(
    placed: Placement, amounts: NodeAmounts, requested: int, directives: Mapping[str, str]
) -> Iterator[JobFinding]:
    node = _node(placed)
    if amounts.cpus is not None and requested > amounts.cpus:
        message = f"{requested} CPUs of a node are requested, but {node} has {amounts.cpus}, one for each core"
        given = [name for name in COUNTS if name in directives]
        hint = f"request {amounts.cpus} at most: {' x '.join(given)}"
        yield JobFinding(AMOUNT, "--sbatch", message, hint)
    threads = shape(directives)[2]
    if threads > 1:
        name = THREADS if THREADS in directives else SHAPE_IN_ONE
        message = f"{name}={directives[name]}, but nodes of {placed.group.service} have one thread of each core"
        yield JobFinding(AMOUNT, "--sbatch", message, f"remove {name}")


def _memory_findings(
    placed: Placement, amounts: NodeAmounts, cpus: int, sizes: Mapping[str, int], directives: Mapping[str, str]
) -> Iterator[JobFinding]:
    requested = {
        MEMORY: (sizes.get(MEMORY, 0), ""),
        MEMORY_PER_CPU: (sizes.get(MEMORY_PER_CPU, 0) * cpus, f" for {cpus} CPUs"),
        MEMORY_PER_DEVICE: (sizes.get(MEMORY_PER_DEVICE, 0) * placed.devices, f" for {placed.devices} Neuron devices"),
    }
    for name, (size, share) in requested.items():
        if amounts.memory is not None and size > amounts.memory:
            where = f"{REAL_MEMORY} of {_node(placed)} is" if amounts.is_memory_set else f"{_node(placed)} has"
            message = f"{name}={directives[name]}{share} is {_gib(size)} of a node, but {where} {_gib(amounts.memory)}"
            hint = f"request less, or {MEMORY}=0, which is all memory of the node"
            yield JobFinding(AMOUNT, "--sbatch", message, hint)
    disk, volume = sizes.get(TEMPORARY, 0), placed.group.machine.root_volume
    if volume is not None and disk > volume.size_gib * GIB:
        message = (
            f"{TEMPORARY}={directives[TEMPORARY]}, but the root volume of {_node(placed)} has {volume.size_gib} GiB"
        )
        yield JobFinding(AMOUNT, "--sbatch", message, f"remove {TEMPORARY}, or enlarge root_volume.size_gib")


def _node(placed: Placement) -> str:
    return f"{placed.group.name} ({placed.group.machine.instance_type})"


def _gib(size: int) -> str:
    return f"{size / GIB:,.1f}".removesuffix(".0") + " GiB"
