"""The program and the variables of a job."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.schedulers.slurm.cluster import SlurmNodesPlan
from neuron_cluster.schedulers.slurm.jobs.finding_specs import INPUT, NO_CREDENTIALS
from neuron_cluster.schedulers.slurm.jobs.job import Job, JobFinding, JobOptions
from neuron_cluster.schedulers.slurm.jobs.known_jobs import CHECKPOINTS, COMPILE_CACHE

S3 = "s3://"
OWN_CREDENTIALS = ("AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE")
"""Variables with which a job has credentials without those of its node."""
LOGICAL_CORES = "NEURON_LOGICAL_NC_CONFIG"
PLACES = {
    CHECKPOINTS: "FOLDER, an absolute path on a file system that all nodes mount",
    COMPILE_CACHE: "FOLDER or s3://BUCKET/PREFIX; nodes have it where the file has storage.compile_cache",
}
"""The allowed values of each variable."""


def input_findings(job: Job, options: JobOptions) -> Iterator[JobFinding]:
    """Words that the script would miss."""
    if job.needs_arguments and not options.arguments:
        yield JobFinding(INPUT, "--run", f"{job.name} needs --run {job.arguments}", "write it as the last option")


def variable_findings(job: Job, group: SlurmNodesPlan | None, options: JobOptions) -> Iterator[JobFinding]:
    """Variables that the script would miss on nodes of the group, and those that do not fit these nodes.

    Without a group only those that are missing on any node.
    """
    of_nodes = {COMPILE_CACHE: group is None or group.start.node.compile_cache}
    for name in job.variables:
        value, hint = options.variables.get(name), f"set it: --variable {name}={PLACES[name]}"
        if not (value or of_nodes.get(name)):
            yield JobFinding(INPUT, "--variable", f"{job.name} needs the variable {name}", hint)
        elif value and not value.startswith(("/", S3) if name == COMPILE_CACHE else "/"):
            message = f"{name} is {value!r}: a relative path is on the disk of each node"
            yield JobFinding(INPUT, "--variable", message, hint)
    cores = options.variables.get(LOGICAL_CORES)
    of_group = group.machine.logical_nc_config if group is not None else None
    if group is not None and of_group is not None and cores not in (None, str(of_group)):
        message = (
            f"{LOGICAL_CORES} is {cores!r}, but the job has ranks for logical_nc_config {of_group} of {group.name}"
        )
        hint = f"remove it, or set logical_nc_config of {group.name} to another value"
        yield JobFinding(INPUT, "--variable", message, hint)


def credential_findings(group: SlurmNodesPlan, options: JobOptions) -> Iterator[JobFinding]:
    """Addresses of S3 in variables of a job that has no credentials."""
    has_own = any(name in options.variables for name in OWN_CREDENTIALS)
    if has_own or not group.start.node.has_closed_metadata:
        return
    for name, value in options.variables.items():
        if value.startswith(S3):
            message = f"{name} is {value!r}, and jobs on nodes of {group.name} have no credentials for S3"
            hint = f"use a folder that all nodes mount, or a profile of the user: --variable {OWN_CREDENTIALS[0]}=NAME"
            yield JobFinding(NO_CREDENTIALS, "--variable", message, hint)
