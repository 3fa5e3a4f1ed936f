"""What is billed by use, of which the file does not state how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.cost.model import CostLine
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.storage_plan import StoragePlan

CLOUDWATCH = "cloudwatch"
VOLUMES_ADDON = "aws-ebs-csi-driver"
"""Creates a volume for a claim of a pod."""


def billed_by_use(plan: ClusterPlan, lines: Sequence[CostLine]) -> Iterator[str]:
    """In the words of AWS's bill; a service that a line estimates is not repeated."""
    priced = [line.what for line in lines]
    storage = _storage(plan.storage) if plan.storage is not None else ()
    yield from (name for name in storage if not any(what.startswith(name) for what in priced))
    for group in plan.compute_groups:
        if group.machine.purchase.reservation_id is not None and not group.machine.purchase.is_block:
            yield f"unused instances of the capacity reservation of {group.name}"
    if plan.kubernetes is not None:
        if plan.kubernetes.node_autoscaler is not None:
            yield f"nodes of {plan.kubernetes.node_autoscaler}"
        yield "load balancers of Services and Ingresses"
        if any(addon.name == VOLUMES_ADDON for addon in plan.kubernetes.addons):
            yield "volumes of PersistentVolumeClaims"
        if plan.kubernetes.image_cache is not None:
            yield "images in ECR"
    yield "CloudWatch Logs"
    if plan.observability is not None and plan.observability.metrics == CLOUDWATCH:
        yield "CloudWatch metrics"
    yield from ("KMS requests", "data transfer")


def _storage(storage: StoragePlan) -> Iterator[str]:
    if storage.bucket is not None:
        yield "S3 Standard"
        if storage.bucket.replication is not None:
            yield "S3 replication"
    if storage.express is not None:
        yield "S3 Express One Zone"
    if storage.efs is not None:
        yield "EFS"
    if storage.s3_files is not None:
        yield "S3 Files"
    if storage.backup is not None:
        yield "AWS Backup"
