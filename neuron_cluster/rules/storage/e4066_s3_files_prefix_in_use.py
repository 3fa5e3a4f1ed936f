from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.config.storage import Storage
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class S3FilesPrefixInUse(Rule):
    """The prefix of S3 Files is apart from those of Lustre and of the compile cache (`storage.s3_files.prefix`).

    FSx and S3 Files each copy objects to their files and back, and S3 Files moves the file that loses a conflict to
    lost+found.

    Without this check AWS reports no error. A checkpoint that Lustre exports appears half written as files, and each
    client of the file system can change the graphs that all nodes run.
    """

    id = "E4066"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-files-synchronization.html"
    proposes = ("prefix",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.s3_files is None:
            return
        prefix = f"{storage.s3_files.prefix}/"
        for used, by in _used(storage):
            if prefix.startswith(used) or used.startswith(prefix):
                yield Violation(
                    ("storage", "s3_files", "prefix"),
                    f"prefix is {storage.s3_files.prefix}, and {used} of the bucket is {by}",
                    "set another prefix, such as prefix: files",
                )


def _used(storage: Storage) -> Iterator[tuple[str, str]]:
    if storage.lustre is not None and storage.lustre.sync is not None:
        yield f"{storage.lustre.sync.prefix}/", "synchronized with Lustre (storage.lustre.sync)"
    if storage.compile_cache is not None:
        yield COMPILE_CACHE_PREFIX, "the compile cache (storage.compile_cache)"
