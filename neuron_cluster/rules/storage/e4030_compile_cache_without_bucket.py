from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class CompileCacheWithoutBucket(Rule):
    """The compile cache is a prefix of the environment's checkpoint bucket (`storage.compile_cache`).

    Without this check the file would name a cache that no resource holds: its roles have nothing to read.
    """

    id = "E4030"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-prefixes.html"
    proposes = ("checkpoint_bucket",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.compile_cache is None or storage.checkpoint_bucket is not None:
            return
        yield Violation(
            ("storage", "compile_cache"),
            "compile_cache is a prefix of the checkpoint bucket, but storage.checkpoint_bucket is not set",
            "add `checkpoint_bucket: {}` to storage, or remove compile_cache",
        )
