"""The checkpoints of a bucket, as a drill reads them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.s3 import get_file, object_sizes, object_text
from neuron_cluster.aws.session import Target
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import STORAGE

BUCKET = "AWS::S3::Bucket"


class CheckpointObjects:
    """The objects below a prefix. Each call raises ``AwsApiError``."""

    def __init__(self, target: Target, bucket: str, prefix: str) -> None:
        self._target, self._bucket = target, bucket
        self._prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""

    def __str__(self) -> str:
        return f"s3://{self._bucket}/{self._prefix}"

    def sizes(self) -> Mapping[str, int]:
        found = object_sizes(self._target, self._bucket, self._prefix)
        return {key.removeprefix(self._prefix): size for key, size in found.items()}

    def text(self, path: str) -> str:
        return object_text(self._target, self._bucket, self._prefix + path)

    def fetch(self, path: str, to: Path) -> None:
        get_file(self._target, self._bucket, self._prefix + path, to)


def checkpoint_bucket(plan: ClusterPlan, destination: Destination) -> str:
    """The name that the file has, or that the deploy generated. Raises ``ToolkitError`` without a deployed bucket."""
    if plan.storage is None or plan.storage.bucket is None:
        raise ToolkitError(
            f"{plan.name} has no checkpoint bucket (storage.checkpoint_bucket)",
            hint="name one with --bucket, or run the drill in the cluster: the chart model-store with job: drill",
        )
    if plan.storage.bucket.existing is not None:
        return plan.storage.bucket.existing.name
    stack = f"{plan.name}-{STORAGE.stack_key}"
    found = [each.physical_id for each in resources(destination.target, stack) if each.type == BUCKET]
    if not found:
        raise ToolkitError(
            f"there is no bucket of a stack {stack} in {destination.description}",
            hint=f"deploy {plan.name} first, or name another bucket with --bucket",
        )
    return found[0]
