"""When a role may use the data key: for objects of the checkpoint bucket alone."""

from __future__ import annotations

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.plan.addon_plan import CHECKPOINT_BUCKET


def through_checkpoint_bucket(region: str) -> FrozenMap[str, FrozenMap[str, tuple[str, ...]]]:
    """Condition of a statement: S3 makes the call, for this bucket.

    With a bucket key the encryption context is the bucket, so that KMS cannot distinguish prefixes. Source:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-key.html
    """
    keys = {"kms:ViaService": (f"s3.{region}.amazonaws.com",), "kms:EncryptionContext:aws:s3:arn": (CHECKPOINT_BUCKET,)}
    return FrozenMap({"StringEquals": FrozenMap(keys)})
