"""The frameworks of a job: which run on the Neuron chip of a group, and their environments in the machine image."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.catalog.framework import Framework
from neuron_cluster.catalog.version import version_key
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster, SlurmNodesPlan
from neuron_cluster.schedulers.slurm.jobs.finding_specs import FRAMEWORK, NO_ENVIRONMENT, RETIRED_FRAMEWORK
from neuron_cluster.schedulers.slurm.jobs.job import Job, JobFinding, JobOptions
from neuron_cluster.schedulers.slurm.jobs.known_jobs import JOBS, VIRTUAL_ENVIRONMENT

WITH_ENVIRONMENT = f"--variable {VIRTUAL_ENVIRONMENT}=FOLDER"


class JobHost(Struct, frozen=True):
    """The facts that decide which frameworks run on the nodes of a group."""

    group: SlurmNodesPlan
    sdk: str
    """The Neuron SDK release of the environment file."""
    dlami: Dlami | None
    """The DLAMI; None for a machine image that the catalog does not have."""
    catalog: Catalog

    @property
    def chip(self) -> str:
        """Name in the catalog; empty without Neuron devices."""
        return self.group.gres.chip if self.group.gres is not None else ""

    def runs(self, framework: Framework, sdk: str) -> bool:
        """Whether AWS supports it on this chip, and outside a container on the operating system of the image."""
        row = framework.support_on(self.chip, sdk)
        system = self.dlami.operating_system if self.dlami is not None else None
        return row is not None and row.state != "retired" and system not in row.excluded_operating_systems


def job_host(group: SlurmNodesPlan, plan: ClusterPlan, slurm: SlurmCluster, catalog: Catalog) -> JobHost:
    return JobHost(group, plan.neuron_sdk, catalog.dlamis.get(slurm.login.image.family), catalog)


def python_environment(job: Job, host: JobHost, options: JobOptions) -> str | None:
    """Returns its folder in the machine image; None where the job needs none, or the image has none for this chip.

    An image has the releases of its own Neuron SDK, which may be older than that of the file.
    """
    named = options.variables.get(VIRTUAL_ENVIRONMENT)
    if named or host.dlami is None:
        return named
    folders = host.dlami.virtual_environments
    for framework in _frameworks(job, host):
        name = framework.virtual_environments.get(host.dlami.name, "")
        if name in folders and host.runs(framework, host.dlami.neuron_sdk):
            return folders[name]
    return None


def framework_errors(job: Job, host: JobHost, options: JobOptions) -> Iterator[JobFinding]:
    """E9419: no framework of the job runs on the group. An environment that the user names may have older packages."""
    if not _lacks_framework(job, host, options):
        return
    last = _last_release(job, host)
    if last is not None and VIRTUAL_ENVIRONMENT in options.variables:
        return
    message = f"no framework of {job.name} runs on {_described(host)}"
    ways = [f"use {other}" for other in _instead(job, host)]
    if last is not None:
        framework, sdk = last
        ways.append(
            f"put {framework.title} of Neuron SDK {sdk}, the last one there, into your AMI and name its folder: "
            f"{WITH_ENVIRONMENT}"
        )
    ways.append("name a group with another Neuron chip")
    yield JobFinding(FRAMEWORK, "--group", message, "; or ".join(ways))


def framework_warnings(job: Job, host: JobHost, options: JobOptions) -> Iterator[JobFinding]:
    """W9420 about the environment that the user names, and W9416 where there is none."""
    last = _last_release(job, host)
    if last is not None and _lacks_framework(job, host, options):
        framework, sdk = last
        message = f"{framework.title} has no support on {_described(host)}: the last release with it is {sdk}"
        ways = [
            f"{options.variables[VIRTUAL_ENVIRONMENT]} has to have the packages of Neuron SDK {sdk} or older",
            *(f"use {other}" for other in _instead(job, host)),
        ]
        yield JobFinding(RETIRED_FRAMEWORK, "--variable", message, "; or ".join(ways))
    if job.frameworks and python_environment(job, host, options) is None:
        image = host.dlami.name if host.dlami is not None else "the image"
        message = f"{image} has no Python environment for {job.name}: the job uses the programs of the search path"
        hint = f"name its folder in your AMI: {WITH_ENVIRONMENT}"
        yield JobFinding(NO_ENVIRONMENT, "--variable", message, hint)


def required_environment(job: Job, host: JobHost) -> str | None:
    """The option with which a job that E9419 stops is rendered, and the packages of its folder; None: no option is."""
    named = JobOptions(variables={VIRTUAL_ENVIRONMENT: "FOLDER"})
    last = _last_release(job, host)
    if last is None or runs_on(job, host) or any(framework_errors(job, host, named)):
        return None
    return f"{WITH_ENVIRONMENT}, with packages of Neuron SDK {last[1]} or older"


def runs_on(job: Job, host: JobHost) -> bool:
    """Whether a framework of the job runs there without an older environment that a user names."""
    return not _lacks_framework(job, host, JobOptions())


def _lacks_framework(job: Job, host: JobHost, options: JobOptions) -> bool:
    """The SDK release of the file decides, unless the image has an older one that still runs."""
    if not job.frameworks or any(host.runs(each, host.sdk) for each in _frameworks(job, host)):
        return False
    return VIRTUAL_ENVIRONMENT in options.variables or python_environment(job, host, options) is None


def _frameworks(job: Job, host: JobHost) -> list[Framework]:
    return [row for name in job.frameworks if (row := host.catalog.frameworks.get(name)) is not None]


def _last_release(job: Job, host: JobHost) -> tuple[Framework, str] | None:
    """The newest release before that of the file in which one of the frameworks runs there."""
    releases = [row.name for row in host.catalog.neuron_sdks if version_key(row.name) <= version_key(host.sdk)]
    found = ((framework, sdk) for sdk in releases for framework in _frameworks(job, host) if host.runs(framework, sdk))
    return next(found, None)


def _instead(job: Job, host: JobHost) -> list[str]:
    """Jobs with the same inputs whose frameworks run there."""
    alike = [other for other in JOBS if other is not job and other.variables and other.variables == job.variables]
    return [other.name for other in alike if runs_on(other, host)]


def _described(host: JobHost) -> str:
    chip = host.catalog.chips.get(host.chip)
    system = [host.dlami.operating_system] if host.dlami is not None else []
    title = chip.title if chip is not None else host.chip
    texts = [host.group.machine.instance_type, title, f"Neuron SDK {host.sdk}", *system]
    return f"{host.group.name} ({', '.join(texts)})"
