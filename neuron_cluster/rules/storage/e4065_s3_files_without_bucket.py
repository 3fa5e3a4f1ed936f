from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class S3FilesWithoutBucket(Rule):
    """A file system of S3 Files is over the environment's checkpoint bucket (`storage.s3_files`).

    The checkpoint bucket has the versions that S3 Files requires, and its policy and key admit the role of S3 Files.
    Those of a bucket that exists are not changed.

    Without this check the file system has no bucket, and is not created.
    """

    id = "E4065"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-files-prereq-policies.html"
    proposes = ("checkpoint_bucket",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.s3_files is None:
            return
        bucket, over = storage.checkpoint_bucket, "s3_files is over a prefix of the checkpoint bucket"
        if bucket is None:
            message, hint = (
                f"{over}, but storage.checkpoint_bucket is not set",
                "add `checkpoint_bucket: {}` to storage",
            )
        elif bucket.existing is not None:
            message, hint = f"{over}, and {bucket.existing.name} exists", "remove existing, which creates a bucket"
        else:
            return
        yield Violation(("storage", "s3_files"), message, f"{hint}, or remove s3_files")
