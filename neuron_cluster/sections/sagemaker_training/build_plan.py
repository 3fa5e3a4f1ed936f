"""Decisions about training jobs: zones, cores, interfaces, purchase options and prefixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX
from neuron_cluster.planning.build_teams import build_user_teams
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import (
    SHARED,
    ChannelPlan,
    JobPurchase,
    SageMakerTrainingPlan,
    TrainingJobPlan,
)
from neuron_cluster.sections.sagemaker_training.config.capacity import JobCapacity, JobTrainingPlan, ManagedSpot
from neuron_cluster.sections.sagemaker_training.config.job import Launcher, TrainingJob
from neuron_cluster.sections.sagemaker_training.config.training import SageMakerTraining

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

KEY = "sagemaker_training"
STACK = "training"
"""Key of its stack."""
HOUR, MINUTE = 3600, 60


def build_sagemaker_plan(
    environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None
) -> SageMakerTrainingPlan | None:
    """Returns the plan; None without the section. Raises ``LookupError`` where stage 1 rules were not run before."""
    config = environment.config
    section = config.section(SageMakerTraining)
    if section is None:
        return None
    jobs = tuple(_job(job, (KEY, "jobs", position), config, catalog) for position, job in enumerate(section.jobs))
    has_cache = config.storage is not None and config.storage.compile_cache is not None
    return SageMakerTrainingPlan(
        path=(KEY,),
        teams=build_user_teams(config, lock),
        jobs=jobs,
        owners=tuple(dict.fromkeys((*(job.owner for job in jobs), *(team.name for team in config.teams)))),
        role_statements=catalog.training_job_roles["job"].statements,
        stack_name=f"{config.name}-{STACK}",
        compile_cache=COMPILE_CACHE_PREFIX if has_cache else None,
    )


def _job(job: TrainingJob, path: KeyPath, config: EnvironmentConfig, catalog: Catalog) -> TrainingJobPlan:
    row = catalog.training_job_types[job.instance_type]
    hardware = catalog.instance_types[row.instance_type]
    lnc = hardware.default_logical_nc_config
    cores = hardware.neuron_cores_at(lnc) if lnc is not None else hardware.neuron_cores
    if cores is None:
        raise LookupError(f"the catalog does not know the cores of {job.instance_type}")
    purchase = _purchase(job.capacity)
    return TrainingJobPlan(
        path=path,
        name=job.name,
        owner=job.team or SHARED,
        image=job.image,
        uses_launcher=job.launcher is Launcher.NEURON_TRAINING,
        front_end=job.front_end.value,
        program=tuple(job.program),
        arguments=tuple(job.arguments),
        hyperparameters=dict(job.hyperparameters),
        environment=dict(job.environment),
        instance_type=job.instance_type,
        instances=job.count,
        devices=hardware.neuron_devices or 0,
        cores=cores,
        logical_nc_config=hardware.selected_logical_nc_config(lnc),
        efa_interfaces=hardware.efa_interfaces or 0,
        zone_ids=_zones(job, config, has_efa=bool(hardware.efa_interfaces)),
        purchase=purchase,
        max_runtime_seconds=job.max_runtime_hours * HOUR,
        keep_alive_seconds=job.keep_alive_minutes * MINUTE,
        channels=tuple(ChannelPlan(each.name, each.s3, each.lustre) for each in job.channels),
        warm_pool_quota=row.warm_pool_quota if job.keep_alive_minutes else None,
        addresses=row.addresses,
        quota=row.spot_quota if purchase.max_wait_seconds is not None else row.quota,
    )


def _purchase(capacity: JobCapacity) -> JobPurchase:
    if isinstance(capacity, ManagedSpot):
        return JobPurchase(max_wait_seconds=capacity.max_wait_hours * HOUR)
    if isinstance(capacity, JobTrainingPlan):
        return JobPurchase(plan_arn=capacity.plan_arn, plan_name=capacity.name)
    return JobPurchase()


def _zones(job: TrainingJob, config: EnvironmentConfig, *, has_efa: bool) -> tuple[str, ...]:
    """One where something is in one zone: instances that communicate over EFA, and a file system.

    Source: https://docs.aws.amazon.com/sagemaker/latest/dg/train-vpc.html; EFA does not cross zones.
    """
    if job.availability_zone is not None:
        return (job.availability_zone,)
    lustre = config.storage.lustre if config.storage is not None else None
    if lustre is not None and any(channel.lustre is not None for channel in job.channels):
        return (lustre.availability_zone,)
    zones = tuple(config.network.zone_ids)
    return zones[:1] if has_efa and job.count > 1 else zones
