"""The CreateTrainingJob request of a job of the environment file.

Values that only a deploy knows are ``${NAME}``: an output of the job's stack takes the place of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.plan.team import TEAM_TAG
from neuron_cluster.schedulers.sagemaker import launcher
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import (
    JOB_TAG,
    SHARED,
    ChannelPlan,
    SageMakerTrainingPlan,
    TrainingJobPlan,
    owner_prefix,
)
from neuron_cluster.schedulers.sagemaker.stack_outputs import (
    BUCKET,
    KEY_ARN,
    LUSTRE,
    LUSTRE_MOUNT,
    SECURITY_GROUP,
    placeholder,
    role_output,
    subnet_output,
)

VOLUME_GB = 30
"""Not used: every Neuron type has encrypted disks of its own, which SageMaker mounts instead of a volume.

Source: https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ResourceConfig.html.
"""


def request_of(job: TrainingJobPlan, training: SageMakerTrainingPlan, plan: ClusterPlan, name: str) -> dict[str, Any]:
    """The request. ``name`` is TrainingJobName."""
    prefix = f"s3://{placeholder(BUCKET)}/{job.prefix}"
    request: dict[str, Any] = {
        "TrainingJobName": name,
        "RoleArn": f"arn:{plan.partition}:iam::{plan.account}:role/{placeholder(role_output(job.owner))}",
        "AlgorithmSpecification": _algorithm(job),
        "HyperParameters": dict(job.hyperparameters),
        "InputDataConfig": [_channel(channel) for channel in _channels(job)],
        "OutputDataConfig": {"S3OutputPath": f"{prefix}output", "KmsKeyId": placeholder(KEY_ARN)},
        "ResourceConfig": dict(_resources(job)),
        "VpcConfig": {
            "SecurityGroupIds": [placeholder(SECURITY_GROUP)],
            "Subnets": [placeholder(subnet_output(zone)) for zone in job.zone_ids],
        },
        "StoppingCondition": dict(_stopping(job)),
        "EnableManagedSpotTraining": job.purchase.max_wait_seconds is not None,
        "CheckpointConfig": {"S3Uri": f"{prefix}checkpoints/", "LocalPath": launcher.CHECKPOINTS},
        "Environment": variables_of(job, training),
        "Tags": [{"Key": key, "Value": value} for key, value in _tags(job, plan).items()],
    }
    return {key: value for key, value in request.items() if value not in ({}, [], False)}


def launcher_prefix(job: TrainingJobPlan) -> str:
    """Where the launcher of its owner is in the checkpoint bucket, with a slash at its end: a release has its own."""
    return f"{owner_prefix(job.owner)}launcher/{launcher.digest()[:16]}/"


def _algorithm(job: TrainingJobPlan) -> dict[str, Any]:
    algorithm: dict[str, Any] = {"TrainingImage": job.image, "TrainingInputMode": "File"}
    if job.uses_launcher:
        program = job.program or launcher.EXAMPLES[job.front_end]
        algorithm["ContainerEntrypoint"] = list(launcher.ENTRYPOINT)
        algorithm["ContainerArguments"] = list(launcher.arguments(program, job.arguments))
    return algorithm


def _channels(job: TrainingJobPlan) -> Iterator[ChannelPlan]:
    yield from job.channels
    if job.uses_launcher:
        yield ChannelPlan(launcher.CHANNEL, f"s3://{placeholder(BUCKET)}/{launcher_prefix(job)}", None)


def _channel(channel: ChannelPlan) -> dict[str, Any]:
    if channel.s3 is not None:
        source: dict[str, Any] = {
            "S3DataSource": {
                "S3DataType": "S3Prefix",
                "S3Uri": channel.s3,
                "S3DataDistributionType": "FullyReplicated",
            }
        }
    else:
        source = {
            "FileSystemDataSource": {
                "FileSystemId": placeholder(LUSTRE),
                "FileSystemAccessMode": "ro",
                "FileSystemType": "FSxLustre",
                "DirectoryPath": f"/{placeholder(LUSTRE_MOUNT)}{(channel.lustre or '').rstrip('/')}",
            }
        }
    return {"ChannelName": channel.name, "DataSource": source}


def _resources(job: TrainingJobPlan) -> Iterator[tuple[str, Any]]:
    yield "InstanceType", job.instance_type
    yield "InstanceCount", job.instances
    yield "VolumeSizeInGB", VOLUME_GB
    if job.keep_alive_seconds:
        yield "KeepAlivePeriodInSeconds", job.keep_alive_seconds
    if job.purchase.plan_arn is not None:
        yield "TrainingPlanArn", job.purchase.plan_arn


def _stopping(job: TrainingJobPlan) -> Iterator[tuple[str, int]]:
    yield "MaxRuntimeInSeconds", job.max_runtime_seconds
    if job.purchase.max_wait_seconds is not None:
        yield "MaxWaitTimeInSeconds", job.purchase.max_wait_seconds


def variables_of(job: TrainingJobPlan, training: SageMakerTrainingPlan) -> dict[str, str]:
    """Variables of the container; the file's own win."""
    prefix = training.compile_cache
    cache = f"s3://{placeholder(BUCKET)}/{prefix.rstrip('/')}" if prefix is not None else ""
    launch = _launch(job, cache)
    if job.uses_launcher:
        return launcher.environment(launch)
    return {**launcher.machine_variables(launch), **job.environment}


def _launch(job: TrainingJobPlan, cache: str) -> launcher.Launch:
    return launcher.Launch(
        front_end=job.front_end,
        image=job.image,
        nodes=job.instances,
        cores=job.cores,
        logical_nc_config=job.logical_nc_config,
        has_efa=job.efa_interfaces > 0,
        grace_seconds=launcher.LONGEST_GRACE_SECONDS,
        checkpoint_folder=launcher.CHECKPOINTS,
        cache=cache,
        variables=job.environment,
    )


def _tags(job: TrainingJobPlan, plan: ClusterPlan) -> Mapping[str, str]:
    team = {} if job.owner == SHARED else {TEAM_TAG: job.owner}
    return {**plan.tags, ENVIRONMENT_TAG: plan.name, JOB_TAG: job.name, **team}
