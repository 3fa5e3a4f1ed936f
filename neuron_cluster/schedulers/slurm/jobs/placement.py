"""The place of a job: its compute node group, queue, nodes and Neuron devices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster, SlurmNodesPlan, SlurmQueuePlan
from neuron_cluster.schedulers.slurm.jobs.finding_specs import AMOUNT, GROUP, OTHER_NODES, QUEUE
from neuron_cluster.schedulers.slurm.jobs.frameworks import framework_errors, job_host, required_environment
from neuron_cluster.schedulers.slurm.jobs.job import Job, JobFinding, JobGroup, JobOptions
from neuron_cluster.schedulers.slurm.jobs.known_jobs import has_whole_nodes

DEFAULT_NODES = 2
"""The default number of nodes of a job over several nodes, as in the values of charts."""


class Placement(Struct, frozen=True):
    group: SlurmNodesPlan
    queue: SlurmQueuePlan
    nodes: int
    devices: int
    """Neuron devices of each node."""


def neuron_groups(slurm: SlurmCluster) -> tuple[SlurmNodesPlan, ...]:
    return tuple(group for group in slurm.groups if group.gres is not None)


def job_groups(job: Job, plan: ClusterPlan, slurm: SlurmCluster, catalog: Catalog) -> Iterator[JobGroup]:
    """Groups with Neuron devices; a framework of the job has to run on them."""
    for group in neuron_groups(slurm):
        host = job_host(group, plan, slurm, catalog)
        requires = required_environment(job, host)
        errors = framework_errors(job, host, JobOptions()) if requires is None else ()
        yield JobGroup(group, tuple(each.message for each in errors), requires)


def place(
    job: Job, plan: ClusterPlan, slurm: SlurmCluster, options: JobOptions, catalog: Catalog
) -> Placement | tuple[JobFinding, ...]:
    """The findings where there is no place, or no single one."""
    unknown = tuple(_unknown(slurm, options))
    if unknown:
        return unknown
    groups = _groups(slurm, options)
    if not groups:
        message = f"queue {options.queue} has no group with Neuron devices"
        return (JobFinding(QUEUE, "--queue", message, _queues_hint(slurm)),)
    findings_of = {
        group.name: (
            *framework_errors(job, job_host(group, plan, slurm, catalog), options),
            *_amounts(job, group, options),
        )
        for group in groups
    }
    fitting = [group for group in groups if not findings_of[group.name]]
    if not fitting:
        return findings_of[groups[0].name] if len(groups) == 1 else _of_all(findings_of)
    if len(fitting) > 1:
        names = listed([f"{group.name} ({group.machine.instance_type})" for group in fitting], "or")
        message = f"{job.name} can run on several groups: {names}"
        return (JobFinding(GROUP, "--group", message, f"name one: --group {fitting[0].name}"),)
    (group,) = fitting
    queues = _queues(slurm, group, options)
    if len(queues) > 1:
        names = listed([queue.name for queue in queues], "or")
        message = f"{group.name} is in several queues, and none of them is the default: {names}"
        return (JobFinding(QUEUE, "--queue", message, f"name one: --queue {queues[0].name}"),)
    nodes = options.nodes or (min(DEFAULT_NODES, _most_nodes(group)) if job.has_several_nodes else 1)
    return Placement(group, queues[0], nodes, options.devices or _devices(group))


def other_nodes(placed: Placement, slurm: SlurmCluster, options: JobOptions) -> Iterator[JobFinding]:
    """Slurm selects nodes by queue and by the type of their devices, and knows no groups."""
    selecting = {"--constraint", "--nodelist", "--exclude"}
    if placed.group.gres is None or selecting.intersection(
        each.partition("=")[0] for each in options.scheduler_options
    ):
        return
    others = [
        group.name
        for group in slurm.groups
        if group is not placed.group
        and group.name in placed.queue.groups
        and group.gres is not None
        and group.gres.chip == placed.group.gres.chip
        and group.gres.count >= placed.devices
    ]
    if others:
        message = (
            f"Slurm may run the job on nodes of {listed(others)} too: queue {placed.queue.name} has them, with the "
            f"same Neuron devices as {placed.group.name}"
        )
        hint = (
            f"give {placed.group.name} a queue of its own; or set Features in its settings, and name the feature: "
            "--sbatch=--constraint=FEATURE"
        )
        yield JobFinding(OTHER_NODES, "--group", message, hint)


def _unknown(slurm: SlurmCluster, options: JobOptions) -> Iterator[JobFinding]:
    names = [group.name for group in neuron_groups(slurm)]
    queue = next((queue for queue in slurm.queues if queue.name == options.queue), None)
    if options.queue is not None and queue is None:
        near = did_you_mean_one_of(options.queue, [each.name for each in slurm.queues])
        yield JobFinding(QUEUE, "--queue", f'there is no queue "{options.queue}"', near + _queues_hint(slurm))
    if options.group is not None and options.group not in names:
        near = did_you_mean_one_of(options.group, names)
        message = f'there is no compute node group "{options.group}" with Neuron devices'
        yield JobFinding(GROUP, "--group", message, f"{near}groups: {', '.join(names) or 'none'}")
    elif options.group is not None and queue is not None and options.group not in queue.groups:
        hint = f"remove --queue, or add {options.group} to the groups of {queue.name} in the file"
        yield JobFinding(QUEUE, "--queue", f"queue {queue.name} does not have the group {options.group}", hint)
    elif not names:
        hint = "add a group with a Neuron instance type to slurm.groups"
        yield JobFinding(GROUP, "--group", "no compute node group has Neuron devices", hint)


def _queues_hint(slurm: SlurmCluster) -> str:
    return f"queues: {', '.join(queue.name for queue in slurm.queues)}"


def _groups(slurm: SlurmCluster, options: JobOptions) -> list[SlurmNodesPlan]:
    groups = [group for group in neuron_groups(slurm) if options.group in (None, group.name)]
    queue = next((queue for queue in slurm.queues if queue.name == options.queue), None)
    return groups if queue is None else [group for group in groups if group.name in queue.groups]


def _queues(slurm: SlurmCluster, group: SlurmNodesPlan, options: JobOptions) -> list[SlurmQueuePlan]:
    """The queue to use, or those among which the user decides."""
    queues = [queue for queue in slurm.queues if group.name in queue.groups]
    named = [queue for queue in queues if queue.name == options.queue]
    return named or [queue for queue in queues if queue.is_default] or queues


def _devices(group: SlurmNodesPlan) -> int:
    return group.gres.count if group.gres is not None else 0


def _most_nodes(group: SlurmNodesPlan) -> int:
    return group.max if group.machine.efa_interfaces else 1


def _amounts(job: Job, group: SlurmNodesPlan, options: JobOptions) -> Iterator[JobFinding]:
    nodes, devices = options.nodes or 1, options.devices or 1
    if nodes > 1 and not job.has_several_nodes:
        yield JobFinding(AMOUNT, "--nodes", f"{job.name} runs on one node", "remove --nodes")
    elif nodes > group.max:
        message = f"{nodes} nodes are requested, but {group.name} has at most {group.max}"
        hint = f"request {group.max}, or raise {group.size_key} of {group.name} to {nodes}"
        yield JobFinding(AMOUNT, "--nodes", message, hint)
    elif nodes > 1 and not group.machine.efa_interfaces:
        message = f"{nodes} nodes are requested, but nodes of {group.name} are not connected by EFA"
        yield JobFinding(AMOUNT, "--nodes", message, "use one node, or a group with EFA")
    if devices > _devices(group):
        kind = group.machine.instance_type
        message = f"{devices} Neuron devices are requested, but a node of {group.name} ({kind}) has {_devices(group)}"
        yield JobFinding(AMOUNT, "--devices", message, f"request {_devices(group)} at most")
    elif options.devices is not None and options.devices < _devices(group) and has_whole_nodes(job):
        message = f"{job.name} has all {_devices(group)} Neuron devices of its nodes, and {devices} are requested"
        yield JobFinding(AMOUNT, "--devices", message, "remove --devices")


def _of_all(findings_of: Mapping[str, Sequence[JobFinding]]) -> tuple[JobFinding, ...]:
    """Returns each finding once: findings that are only about the job are equal for every group."""
    return tuple(dict.fromkeys(found for findings in findings_of.values() for found in findings))
