"""Mountpoint for S3 CSI driver: pods read buckets as files."""

from __future__ import annotations

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.pod_permission import PolicyStatement
from neuron_cluster.plan.addon_plan import CHECKPOINT_BUCKET, DATA_KEY, EXPRESS_BUCKET
from neuron_cluster.software.component import Component, ComponentAddon
from neuron_cluster.software.component_context import ComponentContext

STATEMENTS = (
    PolicyStatement(actions=("s3:ListBucket",), resources=(CHECKPOINT_BUCKET,)),
    PolicyStatement(
        actions=("s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload", "s3:DeleteObject"),
        resources=(f"{CHECKPOINT_BUCKET}/*",),
    ),
    PolicyStatement(
        actions=("kms:Decrypt", "kms:GenerateDataKey"),
        resources=(DATA_KEY,),
        conditions=FrozenMap({"StringLike": FrozenMap({"kms:ViaService": ("s3.*.amazonaws.com",)})}),
    ),
)
"""awslabs/mountpoint-s3: doc/CONFIGURATION.md (IAM permissions)."""
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
    """Its role has access to the buckets of the environment and no other; without one it has no role.

    Where namespaces have roles for the checkpoint bucket, volumes use those (``authenticationSource: pod``): the role
    of the driver, which all volumes of the cluster share, would give each namespace the prefixes of the others.
    Source: awslabs/mountpoint-s3-csi-driver, docs/CONFIGURATION.md, Pod-Level Credentials.
    """
    of_checkpoints = STATEMENTS if context.has_bucket and not context.has_bucket_access else ()
    statements = of_checkpoints + (EXPRESS_STATEMENTS if context.has_express else ())
    addon = ComponentAddon(
        name="aws-mountpoint-s3-csi-driver",
        has_role=bool(statements),
        statements=statements,
        because="Files of the checkpoint bucket have names of the user's own.",
    )
    return Component(addons=(addon,))
