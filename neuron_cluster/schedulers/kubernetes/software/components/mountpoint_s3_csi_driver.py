"""Mountpoint for S3 CSI driver: pods read buckets as files."""

from __future__ import annotations

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.pod_permission import PolicyStatement
from neuron_cluster.plan.addon_plan import BUCKET_KEY, CHECKPOINT_BUCKET, DATA_KEY, EXPRESS_BUCKET
from neuron_cluster.plan.bucket_access_plan import DATASETS_PREFIX
from neuron_cluster.schedulers.kubernetes.software.bucket_key_condition import through_checkpoint_bucket
from neuron_cluster.schedulers.kubernetes.software.component import Component, ComponentAddon
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.dataset_volumes import (
    ADDON,
    COMPONENT,
    DATASETS_CLAIM,
    dataset_volumes,
)

EXPRESS_STATEMENTS = (
    PolicyStatement(actions=("s3express:CreateSession",), resources=(EXPRESS_BUCKET,)),
    PolicyStatement(
        actions=("kms:Decrypt", "kms:GenerateDataKey"),
        resources=(DATA_KEY,),
        conditions=FrozenMap(
            {"StringLike": FrozenMap({"kms:ViaService": ("s3.*.amazonaws.com", "s3express.*.amazonaws.com")})}
        ),
    ),
)
"""A session is for reads and writes in the whole bucket: IAM knows no prefixes there.

Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-UsingKMSEncryption.html
"""


def component(context: ComponentContext) -> Component:
    """Its role reads the datasets of volumes that the environment creates, and opens sessions of the S3 Express bucket.

    All volumes of the cluster share it: what it may do, each pod that mounts a bucket can do. So other volumes of the
    checkpoint bucket use the role of their pod (``authenticationSource: pod``), which ``bucket_access`` gives. Without
    any of both buckets it has no role.
    Source: awslabs/mountpoint-s3-csi-driver, docs/CONFIGURATION.md, Pod-Level Credentials.
    """
    homes = [each.name for each in context.namespaces if DATASETS_CLAIM in each.claims] if context.has_bucket else []
    of_datasets = _dataset_statements(context.region) if homes else ()
    statements = of_datasets + (EXPRESS_STATEMENTS if context.has_express else ())
    addon = ComponentAddon(
        name=ADDON,
        has_role=bool(statements),
        statements=statements,
        because="Files of the checkpoint bucket have names of the user's own.",
    )
    path = (*context.addons_path, COMPONENT)
    manifests = (each for home in homes for each in dataset_volumes(path, home, context.region))
    return Component(addons=(addon,), manifests=tuple(manifests))


def _dataset_statements(region: str) -> tuple[PolicyStatement, ...]:
    """Source: awslabs/mountpoint-s3: doc/CONFIGURATION.md (IAM permissions)."""
    own = f"{DATASETS_PREFIX}*"
    listed = FrozenMap({"StringLike": FrozenMap({"s3:prefix": (own,)})})
    return (
        PolicyStatement(actions=("s3:ListBucket",), resources=(CHECKPOINT_BUCKET,), conditions=listed),
        PolicyStatement(actions=("s3:GetObject",), resources=(f"{CHECKPOINT_BUCKET}/{own}",)),
        PolicyStatement(
            actions=("kms:Decrypt",), resources=(BUCKET_KEY,), conditions=through_checkpoint_bucket(region)
        ),
    )
