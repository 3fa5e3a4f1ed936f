"""A replica that is lost together with the original."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class ReplicaInSameRegion(ConfigRule):
    """A replica is in another Region or account than the environment (`replication.region`, `replication.account`).

    S3 keeps each object in several zones already. A copy in the same Region and account is within reach of the same
    credentials, and of the same outage.

    Without this check AWS reports no error.
    """

    id = "W4089"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication.html"
    proposes = ("replication",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        storage = config.storage
        bucket = storage.checkpoint_bucket if storage is not None else None
        replication = bucket.replication if bucket is not None else None
        if replication is None or replication.region != config.region:
            return
        if replication.account in (None, config.account):
            yield Violation(
                ("storage", "checkpoint_bucket", "replication", "region"),
                f"the target bucket is in {config.region} and in account {config.account}, as the environment is",
                "use a target bucket in another Region with its key_arn, or one of another account",
            )
