"""Rights of Slurm nodes in S3: the script that sets them up, and prefixes of the checkpoint bucket."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aws_cdk import aws_iam as iam

from neuron_cluster.plan.bucket_access_plan import SHARED_PREFIXES
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX
from stacks.constructs.acknowledgement import acknowledge, wide_resource_findings
from stacks.constructs.asset_key import decrypts_assets, keys_of_account
from stacks.constructs.script_asset import ScriptAsset
from stacks.storage import StorageStack

JOBS_PREFIX = "slurm/"
"""The prefix of the checkpoint bucket for files that jobs write."""
CREATES = ("s3:PutObject", "s3:AbortMultipartUpload")
DELETES = ("s3:DeleteObject", "s3:ListMultipartUploadParts")
"""DeleteObject writes a delete marker: no role deletes versions. Graphs of the cache expire."""


def script_policies(scripts: Iterable[ScriptAsset], plan: ClusterPlan) -> dict[str, iam.PolicyDocument]:
    """The scripts of the groups, each by its key, and the key of a bucket that was bootstrapped with one."""
    objects = sorted({f"arn:{plan.partition}:s3:::{each.bucket}/{each.key}" for each in scripts})
    statement = {
        "Effect": "Allow",
        "Action": "s3:GetObject",
        "Resource": objects,
        # A stranger may have taken the bucket's name, and its scripts would run as root.
        "Condition": {"StringEquals": {"aws:ResourceAccount": plan.account}},
    }
    buckets = sorted({f"arn:{plan.partition}:s3:::{each.bucket}" for each in scripts})
    return {"StartScripts": _document(statement, decrypts_assets(plan, [*buckets, *objects]))}


def bucket_policies(storage: StorageStack | None, plan: ClusterPlan) -> dict[str, iam.PolicyDocument]:
    """Returns the policies, as of pods: jobs read shared prefixes and write their own, and fill the compile cache."""
    if storage is None or storage.bucket_arn is None:
        return {}
    bucket = storage.bucket_arn
    prefixes = [f"{prefix}*" for prefix in (*SHARED_PREFIXES, JOBS_PREFIX)]
    on_key = {
        "kms:ViaService": f"s3.{plan.region}.amazonaws.com",
        "kms:EncryptionContext:aws:s3:arn": bucket,
    }
    cache, jobs = f"{bucket}/{COMPILE_CACHE_PREFIX}*", f"{bucket}/{JOBS_PREFIX}*"
    return {
        "CheckpointBucket": _document(
            {
                "Effect": "Allow",
                "Action": "s3:ListBucket",
                "Resource": bucket,
                "Condition": {"StringLike": {"s3:prefix": prefixes}},
            },
            {"Effect": "Allow", "Action": "s3:GetObject", "Resource": [f"{bucket}/{each}" for each in prefixes]},
            {"Effect": "Allow", "Action": list(CREATES), "Resource": [cache, jobs]},
            {"Effect": "Allow", "Action": list(DELETES), "Resource": jobs},
            {
                "Effect": "Allow",
                "Action": ["kms:Decrypt", "kms:GenerateDataKey"],
                "Resource": storage.bucket_key_arn,
                "Condition": {"StringEquals": on_key},
            },
        )
    }


def acknowledge_scripts(role: iam.Role, plan: ClusterPlan) -> None:
    """Records on the role why it may use keys that the file does not name."""
    why = "The key of the bootstrap bucket, which the file does not name: for its start scripts alone, by S3."
    acknowledge(role, dict.fromkeys(wide_resource_findings(role, [keys_of_account(plan)]), why))


def acknowledge_bucket(role: iam.Role, storage: StorageStack | None) -> None:
    """Records on the role why its rights to objects have prefixes."""
    if storage is None or storage.bucket_arn is None:
        return
    objects = [f"{storage.bucket_arn}/{prefix}*" for prefix in (*SHARED_PREFIXES, JOBS_PREFIX)]
    why = "Objects have names that jobs and the compiler choose; the prefix is shared, or that of Slurm."
    acknowledge(role, dict.fromkeys(wide_resource_findings(role, objects), why))


def _document(*statements: dict[str, Any]) -> iam.PolicyDocument:
    return iam.PolicyDocument.from_json({"Version": "2012-10-17", "Statement": list(statements)})
