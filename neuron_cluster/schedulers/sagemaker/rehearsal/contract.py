"""Files below /opt/ml/input and variables that SageMaker gives to a container of a training job.

Sources, pages of https://docs.aws.amazon.com/sagemaker/latest/dg/: your-algorithms-training-algo-running-container.html
(hyperparameters.json, inputdataconfig.json, resourceconfig.json, TRAINING_JOB_NAME, TRAINING_JOB_ARN),
your-algorithms-training-algo-dockerfile.html (ContainerEntrypoint, ContainerArguments). ``current_instance_type``,
``current_group_name`` and ``instance_groups``: train-heterogeneous-cluster.html. checkpointconfig.json is in no page:
aws/sagemaker-xgboost-container#32 reads it. SM_* variables are set by SageMaker's toolkit inside of its images, not by
the service, so they are not here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from neuron_cluster.errors import ToolkitError

ARN = "arn:aws:sagemaker:us-east-1:111122223333:training-job"
"""A prefix with no real account."""
INTERFACE = "eth0"
GROUP = "homogeneousCluster"
TRAIN = "train"
"""The argument that a container without arguments of the request gets."""


def host_names(request: Mapping[str, Any]) -> tuple[str, ...]:
    """``algo-1`` and so on. Raises ``ToolkitError`` for a request with instance groups, which are not rehearsed."""
    resources = request["ResourceConfig"]
    if "InstanceCount" not in resources:
        raise ToolkitError(
            "a job without ResourceConfig.InstanceCount cannot be rehearsed",
            hint="give InstanceType and InstanceCount in the place of InstanceGroups",
        )
    return tuple(f"algo-{number}" for number in range(1, resources["InstanceCount"] + 1))


def command_of(request: Mapping[str, Any]) -> tuple[str, ...]:
    """Raises ``ToolkitError`` where the image decides what runs: there is no image here."""
    algorithm = request["AlgorithmSpecification"]
    if not algorithm.get("ContainerEntrypoint"):
        raise ToolkitError(
            "a job without AlgorithmSpecification.ContainerEntrypoint cannot be rehearsed",
            hint="the entry point of the image is not here: name one",
        )
    return (*algorithm["ContainerEntrypoint"], *(algorithm.get("ContainerArguments") or (TRAIN,)))


def variables_of(request: Mapping[str, Any]) -> dict[str, str]:
    """The variables of every container."""
    name = str(request["TrainingJobName"])
    given = {"TRAINING_JOB_NAME": name, "TRAINING_JOB_ARN": f"{ARN}/{name}"}
    return given | {key: str(value) for key, value in (request.get("Environment") or {}).items()}


def write_configuration(request: Mapping[str, Any], host: str, hosts: Sequence[str], folder: Path) -> None:
    """Writes the files of /opt/ml/input/config."""
    instance_type = str(request["ResourceConfig"]["InstanceType"])
    documents = {
        "hyperparameters": dict(request.get("HyperParameters") or {}),
        "inputdataconfig": {str(each["ChannelName"]): _channel(each, request) for each in channels_of(request)},
        "resourceconfig": {
            "current_host": host,
            "current_instance_type": instance_type,
            "current_group_name": GROUP,
            "hosts": sorted(hosts),
            "instance_groups": [
                {"instance_group_name": GROUP, "instance_type": instance_type, "hosts": sorted(hosts)},
            ],
            "network_interface_name": INTERFACE,
        },
    }
    if "CheckpointConfig" in request:
        documents["checkpointconfig"] = {"LocalPath": checkpoint_path(request)}
    folder.mkdir(parents=True)
    for name, document in documents.items():
        (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")


def channels_of(request: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The entries of InputDataConfig."""
    return list(request.get("InputDataConfig") or ())


def checkpoint_path(request: Mapping[str, Any]) -> str:
    """Where the container has its checkpoints."""
    return str(request["CheckpointConfig"].get("LocalPath") or "/opt/ml/checkpoints").rstrip("/")


def _channel(channel: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, str]:
    mode = channel.get("InputMode") or request["AlgorithmSpecification"].get("TrainingInputMode") or "File"
    source = (channel.get("DataSource") or {}).get("S3DataSource") or {}
    content = {"ContentType": str(channel["ContentType"])} if channel.get("ContentType") else {}
    return {
        **content,
        "TrainingInputMode": "File" if mode == "FastFile" else str(mode),
        "S3DistributionType": str(source.get("S3DataDistributionType") or "FullyReplicated"),
        "RecordWrapperType": str(channel.get("RecordWrapperType") or "None"),
    }
