from __future__ import annotations

from neuron_cluster.plan.bucket_access_plan import SHARED_PREFIXES, TEAMS
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces

READ_ONLY = "is read by every role of a namespace and written by none (bucket_access)"
PROTECTED = (
    (TEAMS, "has the prefixes of namespaces with roles (bucket_access)"),
    *((prefix, READ_ONLY) for prefix in SHARED_PREFIXES if prefix != COMPILE_CACHE_PREFIX),
)
"""``compile-cache/`` is that of rule E4066."""


class S3FilesOverTeamPrefix(Rule):
    """The prefix of S3 Files is apart from what `bucket_access` protects (`storage.s3_files.prefix`).

    S3 Files copies files to the prefix and back with its own role, whichever client wrote them. A namespace that is
    added later has its prefix below `teams/` too, so that all of it is apart.

    Without this check every client of the file system reads, changes and deletes objects that no role of its namespace
    may read or write.
    """

    id = "E4121"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-files-synchronization.html"
    proposes = ("prefix",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        files = storage.s3_files if storage is not None else None
        if files is None or not any(each.spec.bucket_access for each in listed_namespaces(context.environment.config)):
            return
        prefix = f"{files.prefix}/"
        for protected, what in PROTECTED:
            if prefix.startswith(protected) or protected.startswith(prefix):
                yield Violation(
                    ("storage", "s3_files", "prefix"),
                    f"prefix is {files.prefix}, and {protected} of the bucket {what}",
                    "set another prefix, such as prefix: files",
                )
