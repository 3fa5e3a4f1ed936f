"""How long the checkpoint bucket has what is deleted on the file system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.checkpoints.spec import BucketRetention
from neuron_cluster.config.environment_config import Lifecycle
from neuron_cluster.config.lustre import SyncMode

if TYPE_CHECKING:
    from neuron_cluster.config.checkpoint_bucket import CheckpointBucket
    from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.lustre import LustreSync

EXPIRE_DAYS = 7
NONCURRENT_DAYS = {Lifecycle.DURABLE: 3, Lifecycle.EPHEMERAL: 1}
"""Days of noncurrent versions of an archive, for objects that expired or were deleted in the bucket."""


def sync_mode(sync: LustreSync) -> SyncMode:
    return sync.mode or SyncMode.MIRROR


def bucket_retention(config: EnvironmentConfig, sync: LustreSync, bucket: CheckpointBucket) -> BucketRetention:
    """Returns the retention of the prefix that is synchronized."""
    if sync_mode(sync) is SyncMode.MIRROR:
        return BucketRetention(None, bucket.noncurrent_version_days)
    noncurrent = min(NONCURRENT_DAYS[config.lifecycle], bucket.noncurrent_version_days)
    return BucketRetention(sync.expire_days or EXPIRE_DAYS, noncurrent)
