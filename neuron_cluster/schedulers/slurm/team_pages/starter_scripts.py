"""Starter jobs of a team: jobs of the toolkit on its own group, or on one that all teams use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.protocol.team_pages import MissingScript, StarterScript
from neuron_cluster.schedulers.slurm.jobs.finding_specs import NO_ENVIRONMENT
from neuron_cluster.schedulers.slurm.jobs.frameworks import JobHost, job_host, runs_on
from neuron_cluster.schedulers.slurm.jobs.job import Job, JobOptions
from neuron_cluster.schedulers.slurm.jobs.known_jobs import CHECKPOINTS, JOBS, VIRTUAL_ENVIRONMENT, script_name
from neuron_cluster.schedulers.slurm.jobs.placement import neuron_groups
from neuron_cluster.schedulers.slurm.jobs.render import render_job
from neuron_cluster.schedulers.slurm.team_pages.files_section import shared_folder

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.team import Team
    from neuron_cluster.schedulers.slurm.cluster import SlurmCluster, SlurmNodesPlan
    from neuron_cluster.schedulers.slurm.jobs.job import RenderedJob
    from neuron_cluster.schedulers.slurm.node_start_plan import PosixUser

COLLECTIVES, SERVING = "check-collectives", "serve-vllm"
TRAININGS = ("train-torchrun", "train-jax")
"""The starter job is the first whose frameworks run on the group."""
FOLDER = "jobs"
TRAINER, CHECKPOINT_FOLDER, MODEL_FOLDER = "train.py", "checkpoints", "model"
"""Files in the shared folder of the team; a member puts the program and the model there."""
NO_DEVICES = "no compute node group has Neuron devices"
NO_SHARED_FILES = "nodes share no file system"


def starter_scripts(
    plan: ClusterPlan, slurm: SlurmCluster, team: Team, user: PosixUser, catalog: Catalog
) -> tuple[StarterScript | MissingScript, ...]:
    """A measurement of the nodes first, which needs no file of the team."""
    group, folder = _group(slurm, team), shared_folder(slurm, user)
    host = job_host(group, plan, slurm, catalog) if group is not None else None
    return tuple(_script(job, plan, slurm, group, folder, catalog) for job in _starter_jobs(host))


def _starter_jobs(host: JobHost | None) -> Iterator[Job]:
    by_name = {job.name: job for job in JOBS}
    trainings = [by_name[name] for name in TRAININGS]
    yield by_name[COLLECTIVES]
    yield next((job for job in trainings if host is not None and runs_on(job, host)), trainings[0])
    yield by_name[SERVING]


def _group(slurm: SlurmCluster, team: Team) -> SlurmNodesPlan | None:
    """Returns a group of the team, else one of no team, else the first one with Neuron devices."""
    groups = sorted(neuron_groups(slurm), key=lambda each: (each.team != team.name, each.team is not None))
    return next(iter(groups), None)


def _script(
    job: Job,
    plan: ClusterPlan,
    slurm: SlurmCluster,
    group: SlurmNodesPlan | None,
    folder: str | None,
    catalog: Catalog,
) -> StarterScript | MissingScript:
    file_name = f"{FOLDER}/{script_name(job)}"
    if group is None:
        hint = "add a group with a Neuron instance type to `slurm.groups`"
        return MissingScript(file_name=file_name, causes=(NO_DEVICES,), reasons=(f"{NO_DEVICES}; {hint}",))
    if job.needs_arguments and folder is None:
        reason = f"{NO_SHARED_FILES}; add `storage.lustre` or `storage.efs`"
        return MissingScript(file_name=file_name, causes=(NO_SHARED_FILES,), reasons=(reason,))
    options = _options(job, slurm, group, folder)
    rendered = render_job(job, plan, slurm, catalog, options)
    if not rendered.script:
        return MissingScript(
            file_name=file_name,
            causes=tuple(each.message for each in rendered.findings),
            reasons=tuple(f"{each.id} {each.message}; {each.hint}" for each in rendered.findings),
        )
    return StarterScript(
        job=job.name,
        file_name=file_name,
        text=rendered.script,
        options=_written_options(options),
        group=rendered.group,
        queue=rendered.queue,
        nodes=rendered.nodes,
        devices=rendered.devices,
        note="; ".join(_notes(job, folder, rendered)),
    )


def _options(job: Job, slurm: SlurmCluster, group: SlurmNodesPlan, folder: str | None) -> JobOptions:
    queues = [queue for queue in slurm.queues if group.name in queue.groups]
    default = next((queue for queue in queues if queue.is_default), queues[0])
    by_job = {**dict.fromkeys(TRAININGS, (f"{folder}/{TRAINER}",)), SERVING: (f"{folder}/{MODEL_FOLDER}",)}
    variables = {name: f"{folder}/{CHECKPOINT_FOLDER}" for name in job.variables if name == CHECKPOINTS}
    return JobOptions(group=group.name, queue=default.name, arguments=by_job.get(job.name, ()), variables=variables)


def _written_options(options: JobOptions) -> tuple[str, ...]:
    """`--run` takes all arguments behind it."""
    variables = (word for name, value in options.variables.items() for word in ("--variable", f"{name}={value}"))
    run = ("--run", *options.arguments) if options.arguments else ()
    return ("--group", str(options.group), "--queue", str(options.queue), *variables, *run)


def _notes(job: Job, folder: str | None, rendered: RenderedJob) -> Iterator[str]:
    if job.name in TRAININGS:
        yield f"your program is `{folder}/{TRAINER}`"
    if job.name == SERVING:
        yield f"the files of your model are in `{folder}/{MODEL_FOLDER}`"
    if any(each.id == NO_ENVIRONMENT for each in rendered.findings):
        yield f"set `{VIRTUAL_ENVIRONMENT}` to the folder of your Python environment"
