from __future__ import annotations

from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class CompileCacheInSyncedFolder(Rule):
    """The compile cache and the mirrored prefix are apart (`storage.compile_cache`, `storage.lustre.sync.prefix`).

    Every client of the file system can write to a mirrored folder, and FSx copies its files to the bucket.

    Without this check a pod without the role of the writer changes graphs that all others run, and the lifecycle rule
    of the cache deletes files of the file system.
    """

    id = "E4032"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/autoexport-data-repo-dra.html"
    proposes = ("prefix",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.compile_cache is None or storage.lustre is None or storage.lustre.sync is None:
            return
        prefix = storage.lustre.sync.prefix
        if f"{prefix}/".startswith(COMPILE_CACHE_PREFIX):
            yield Violation(
                ("storage", "lustre", "sync", "prefix"),
                f"prefix is {prefix}, and {COMPILE_CACHE_PREFIX} of the bucket is the compile cache",
                "mirror another prefix, such as checkpoints, or remove compile_cache",
            )
