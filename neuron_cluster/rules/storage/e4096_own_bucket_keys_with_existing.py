from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class OwnBucketKeysWithExisting(Rule):
    """With a bucket that exists, no key describes one that is created (`storage.checkpoint_bucket`).

    Lifecycle rules of an existing bucket are its owner's; `plan --details` prints those that its prefixes need.

    Without this check the keys have no effect: old versions would stay longer than the file requires.
    """

    id = "E4096"
    source = "the design of this toolkit: nothing is set on a bucket that exists"

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        bucket = storage.checkpoint_bucket if storage is not None else None
        if bucket is None or bucket.existing is None:
            return
        for key in sorted(bucket.model_fields_set - {"existing"}):
            yield Violation(
                ("storage", "checkpoint_bucket", key),
                f"checkpoint_bucket has existing and {key}; {key} is a setting of a bucket that is created",
                f"remove {key}; the owner of the bucket decides it",
            )
