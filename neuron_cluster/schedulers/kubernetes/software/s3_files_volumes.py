"""PersistentVolumes and PersistentVolumeClaims of S3 Files, a pair for each namespace that claims it."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.pod_permission import PolicyStatement
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.addon_plan import (
    BUCKET_KEY,
    CHECKPOINT_BUCKET,
    S3_FILES_ACCESS_POINT_ARN,
    S3_FILES_ACCESS_POINT_ID,
    S3_FILES_ARN,
    S3_FILES_ID,
    ManifestPlan,
)
from neuron_cluster.plan.s3_files_plan import S3_FILES_FOLDER
from neuron_cluster.schedulers.kubernetes.software.bucket_key_condition import through_checkpoint_bucket
from neuron_cluster.schedulers.kubernetes.software.efs_volumes import efs_driver_volumes

S3_FILES_CLAIM = "s3-files"
"""Name of the claim in each namespace, and the word for it in ``claims`` of a namespace."""
NODE_ACCOUNT = "efs-csi-node-sa"
"""Service account of the pods of the driver that mount."""


def s3_files_volumes(path: KeyPath, namespace: str) -> Iterator[ManifestPlan]:
    """The volume, then its claim. The word before the id makes the driver mount S3 Files instead of EFS.

    Source: kubernetes-sigs/aws-efs-csi-driver@a4fc6760 pkg/driver/node.go; docs/README.md there (#1845).
    """
    handle = f"s3files:{S3_FILES_ID}:/{namespace}/..:{S3_FILES_ACCESS_POINT_ID}"
    yield from efs_driver_volumes(path, namespace, S3_FILES_CLAIM, handle)


def node_statements(prefix: str, region: str) -> tuple[PolicyStatement, ...]:
    """Returns permissions of the driver on nodes: to mount through the access point, and to read large files.

    ``prefix`` is that of the file system, with its slash. Source:
    https://docs.aws.amazon.com/eks/latest/userguide/s3files-csi.html, which attaches AmazonS3FilesClientFullAccess and
    AmazonS3ReadOnlyAccess; https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-files-prereq-policies.html
    """
    own = f"{prefix}{S3_FILES_FOLDER}/*"
    through_access_point = FrozenMap({"s3files:AccessPointArn": (S3_FILES_ACCESS_POINT_ARN,)})
    return (
        PolicyStatement(
            actions=("s3files:ClientMount", "s3files:ClientWrite"),
            resources=(S3_FILES_ARN,),
            conditions=FrozenMap({"StringEquals": through_access_point}),
        ),
        PolicyStatement(
            actions=("s3:ListBucket",),
            resources=(CHECKPOINT_BUCKET,),
            conditions=FrozenMap({"StringLike": FrozenMap({"s3:prefix": (own,)})}),
        ),
        PolicyStatement(actions=("s3:GetObject", "s3:GetObjectVersion"), resources=(f"{CHECKPOINT_BUCKET}/{own}",)),
        PolicyStatement(
            actions=("kms:Decrypt",), resources=(BUCKET_KEY,), conditions=through_checkpoint_bucket(region)
        ),
    )
