from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.config.storage import Storage
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ExistingKeyOfAnotherRegion(Rule):
    """A KMS key that exists is in the Region of the environment (`storage.key_arn`, `key_arn` of the bucket).

    Without this check S3, FSx and EBS reject the key during the deploy: they use keys of their own Region only.
    """

    id = "E4097"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        for path, arn in _keys(config.storage):
            region = arn.split(":")[3]
            if region != config.region:
                yield Violation(
                    path,
                    f"key_arn is a key of {region}; the environment is in {config.region}",
                    f"write the ARN of a key of {config.region}, or remove key_arn",
                )


def _keys(storage: Storage | None) -> Iterator[tuple[KeyPath, str]]:
    if storage is None:
        return
    if storage.key_arn is not None:
        yield ("storage", "key_arn"), storage.key_arn
    bucket = storage.checkpoint_bucket
    if bucket is not None and bucket.existing is not None and bucket.existing.key_arn is not None:
        yield ("storage", "checkpoint_bucket", "existing", "key_arn"), bucket.existing.key_arn
