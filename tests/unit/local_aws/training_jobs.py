"""Resources of a training job, and the request of one that the local AWS accepts."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from tests.unit.local_aws import hyperpod

Clients = Callable[[str], Any]
BUCKET = "training-data"
IMAGE = (
    "763104351884.dkr.ecr.us-west-2.amazonaws.com/pytorch-training-neuronx:2.9.0-neuronx-py312-sdk2.30.0-ubuntu24.04"
)
TYPE = "ml.trn1.32xlarge"


def make_bucket(client: Clients) -> None:
    """The bucket of jobs, with one object of input data."""
    s3 = client("s3")
    with contextlib.suppress(s3.exceptions.BucketAlreadyOwnedByYou):
        s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
        s3.put_object(Bucket=BUCKET, Key="input/part-0", Body=b"0")


def job(role: str, **members: Any) -> dict[str, Any]:
    """The request of a job of two instances; a member that is None is left out."""
    request = {
        "TrainingJobName": "first",
        "RoleArn": role,
        "AlgorithmSpecification": {
            "TrainingImage": IMAGE,
            "TrainingInputMode": "File",
            "ContainerEntrypoint": ["torchrun", "train.py"],
            "ContainerArguments": ["--steps", "10"],
        },
        "OutputDataConfig": {"S3OutputPath": f"s3://{BUCKET}/output"},
        "ResourceConfig": resources(),
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600},
        **members,
    }
    return {name: value for name, value in request.items() if value is not None}


def resources(**members: Any) -> dict[str, Any]:
    """The ResourceConfig of two instances; a member that is None is left out."""
    given = {"InstanceType": TYPE, "InstanceCount": 2, "VolumeSizeInGB": 50, **members}
    return {name: value for name, value in given.items() if value is not None}


def channel(source: dict[str, Any]) -> list[dict[str, Any]]:
    """An InputDataConfig with one channel."""
    return [{"ChannelName": "train", "DataSource": source}]


def in_s3(uri: str) -> list[dict[str, Any]]:
    return channel({"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": uri}})


def role_of(client: Clients) -> str:
    return hyperpod.make_role(client, "training")
