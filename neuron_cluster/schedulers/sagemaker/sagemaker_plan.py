"""Training jobs of SageMaker and what a stack makes for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.catalog.pod_permission import PolicyStatement
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.text import counted
from neuron_cluster.plan.address_plan import AddressNeed, Purpose
from neuron_cluster.plan.control_plane import ControlPlane
from neuron_cluster.plan.generated_name import GeneratedName
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.network_plan import SubnetTier, ZonePlan
from neuron_cluster.plan.provider_plan import ProviderPlan

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

PREFIX = "sagemaker/"
"""The prefix of the checkpoint bucket for everything of training jobs."""
JOB_TAG = "neuron-cluster:job"
"""Tag of a training job with the job of the file that it was submitted from."""
SHARED = "shared"
"""The owner of jobs without a team, in prefixes and outputs; no team has the name (rule E2310)."""


class ChannelPlan(Struct, frozen=True):
    """Input data: either an S3 prefix or a folder of the file system."""

    name: str
    s3: str | None
    lustre: str | None


class JobPurchase(Struct, frozen=True):
    """On demand where all are None."""

    max_wait_seconds: int | None = None
    """MaxWaitTimeInSeconds of Managed Spot training; None without it."""
    plan_arn: str | None = None
    plan_name: str | None = None

    @property
    def display_name(self) -> str:
        if self.max_wait_seconds is not None:
            return "Spot"
        return "On-Demand" if self.plan_arn is None else f"training plan {self.plan_name}"


class TrainingJobPlan(Struct, frozen=True, kw_only=True):
    """One job by name, completely decided but for what only a deploy knows."""

    path: KeyPath
    name: str
    owner: str
    """Its team, or ``shared``."""
    image: str
    uses_launcher: bool
    """Whether it starts with the launcher of the toolkit, and not with the entry point of its image."""
    front_end: str
    program: tuple[str, ...]
    arguments: tuple[str, ...]
    hyperparameters: Mapping[str, str]
    environment: Mapping[str, str]
    instance_type: str
    """As SageMaker names it."""
    instances: int
    devices: int
    """Neuron devices of an instance."""
    cores: int
    """Logical NeuronCores of an instance."""
    logical_nc_config: int | None
    efa_interfaces: int
    zone_ids: tuple[str, ...]
    purchase: JobPurchase
    max_runtime_seconds: int
    keep_alive_seconds: int
    channels: tuple[ChannelPlan, ...]
    quota: str
    """Name of the quota in Service Quotas that its instances count against."""
    warm_pool_quota: str | None
    """The quota of instances that wait for another job; None where none do."""
    addresses: int
    """Addresses that an instance takes in its subnet, at least."""

    @property
    def prefix(self) -> str:
        """Its own prefix of the checkpoint bucket, with a slash at its end."""
        return f"{owner_prefix(self.owner)}{self.name}/"

    def on_instances(self, instances: int) -> TrainingJobPlan:
        """The same job on another number of instances: those that communicate over EFA are in one zone."""
        zones = self.zone_ids[:1] if instances > 1 and self.efa_interfaces else self.zone_ids
        return replace(self, instances=instances, zone_ids=zones)

    @property
    def reads_lustre(self) -> bool:
        return any(channel.lustre is not None for channel in self.channels)


def owner_prefix(owner: str) -> str:
    """The prefix that the role of a team, or the shared one, writes to."""
    return f"{PREFIX}jobs/{owner}/"


MOST_LINES = 6
"""Jobs that a picture names."""


class SageMakerTrainingPlan(ProviderPlan, frozen=True, kw_only=True):
    """The section ``sagemaker_training``."""

    jobs: tuple[TrainingJobPlan, ...]
    owners: tuple[str, ...]
    """Teams with jobs, and ``shared`` for jobs without a team; each has a role."""
    role_statements: tuple[PolicyStatement, ...]
    """Statements of every role, without its buckets and images."""
    stack_name: str
    """CloudFormation name of its stack, whose outputs a submission reads."""
    compile_cache: str | None
    """Prefix of the compile cache in the checkpoint bucket, with a slash at its end."""

    @property
    def security_groups(self) -> tuple[SecurityGroupRole, ...]:
        return (SecurityGroupRole.TRAINING,)

    def job(self, name: str) -> TrainingJobPlan | None:
        return next((job for job in self.jobs if job.name == name), None)

    def jobs_of(self, owner: str) -> tuple[TrainingJobPlan, ...]:
        return tuple(job for job in self.jobs if job.owner == owner)

    def control_plane(self) -> ControlPlane | None:
        jobs = [f"{job.name} {job.instances} x {job.instance_type}" for job in self.jobs]
        further = [f"and {counted(len(jobs) - MOST_LINES, 'further job')}"] if len(jobs) > MOST_LINES else []
        lines = ("no instances between jobs", *jobs[:MOST_LINES], *further)
        return ControlPlane(label="service", software="SageMaker", version="training jobs", lines=lines)

    def address_needs(self, tier: SubnetTier, zone: ZonePlan, catalog: Catalog) -> Iterator[AddressNeed]:
        """Addresses of each job once, in every zone that it may run in."""
        del catalog
        for job in self.jobs if tier is SubnetTier.PRIVATE else ():
            if zone.zone_id in job.zone_ids:
                words = f"the training job {job.name}"
                yield AddressNeed(Purpose.NODES, words, job.instances, job.addresses, is_least=True)

    def generated_names(self) -> Iterator[GeneratedName]:
        for job in self.jobs:
            yield GeneratedName((*job.path, "name"), f"the job {job.name}", job.name, "training_job_name")
