"""The program, variables and time limit of a job."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.orchestrators.jobs import Job, JobFinding, JobOptions
from neuron_cluster.orchestrators.slurm.jobs.finding_specs import INPUT, NO_ENVIRONMENT, TIME
from neuron_cluster.orchestrators.slurm.jobs.known_jobs import VIRTUAL_ENVIRONMENT
from neuron_cluster.orchestrators.slurm.plan.slurm_plan import SlurmQueuePlan
from neuron_cluster.orchestrators.slurm.time_limit import FORMS, seconds

OWN_OPTIONS = {
    "--partition": "--queue",
    "--nodes": "--nodes",
    "--gpus": "--devices",
    "--gpus-per-node": "--devices",
    "--time": "--time",
}
"""Options of sbatch that an option of the command sets."""
_OPTION = re.compile(r"--[a-z][a-z-]*(=[^\x00-\x1f\x7f]+)?")
MAX_TIME = "MaxTime"


def input_findings(job: Job, options: JobOptions) -> Iterator[JobFinding]:
    """What the script would miss, and options of the scheduler that are none."""
    if job.needs_words and not options.words:
        yield JobFinding(INPUT, "--run", f"{job.name} needs --run {job.words}", "write it as the last option")
    for name in job.variables:
        if not options.variables.get(name):
            hint = f"set it: --variable {name}=FOLDER, on a file system that all nodes mount"
            yield JobFinding(INPUT, "--variable", f"{job.name} needs the variable {name}", hint)
    for option in options.scheduler_options:
        name = option.partition("=")[0]
        if not _OPTION.fullmatch(option):
            hint = "write one option in one word: --sbatch=--array=0-2"
            yield JobFinding(INPUT, "--sbatch", f"{option!r} is not an option of sbatch in its long form", hint)
        elif name in OWN_OPTIONS:
            hint = f"use {OWN_OPTIONS[name]}"
            yield JobFinding(INPUT, "--sbatch", f"{name} is decided by {OWN_OPTIONS[name]}", hint)


def time_findings(queue: SlurmQueuePlan, options: JobOptions) -> Iterator[JobFinding]:
    if options.time is None:
        return
    requested = seconds(options.time)
    if not requested:
        yield JobFinding(TIME, "--time", f"{options.time!r} is not a time limit of Slurm", f"write {FORMS}")
        return
    most = seconds(queue.settings.get(MAX_TIME, ""))
    if most is not None and requested > most:
        message = f"{options.time} is longer than {MAX_TIME} {queue.settings[MAX_TIME]} of queue {queue.name}"
        yield JobFinding(TIME, "--time", message, f"set --time {queue.settings[MAX_TIME]} at most")


def python_environment(job: Job, dlami: Dlami | None, options: JobOptions) -> str | None:
    """Its folder in the machine image; None where the job needs none, or the image has none."""
    named = options.variables.get(VIRTUAL_ENVIRONMENT)
    if named or dlami is None:
        return named
    folders = dlami.virtual_environments.items()
    found = (folder for framework in job.frameworks for name, folder in folders if name.startswith(framework))
    return next(found, None)


def environment_findings(job: Job, dlami: Dlami | None, options: JobOptions) -> Iterator[JobFinding]:
    if job.frameworks and python_environment(job, dlami, options) is None:
        image = dlami.name if dlami is not None else "the image"
        message = f"{image} has no Python environment for {job.name}: the job uses the programs of the search path"
        hint = f"name its folder in your AMI: --variable {VIRTUAL_ENVIRONMENT}=FOLDER"
        yield JobFinding(NO_ENVIRONMENT, "--variable", message, hint)
