"""Whether a bucket and keys that exist are there, and let the environment use them.

Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/s3-server-side-encryption-support.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neuron_cluster.access.request import Request
from neuron_cluster.access.resource_policy import Passage, denial
from neuron_cluster.aws.existing_bucket import ExistingBucket, existing_bucket
from neuron_cluster.aws.existing_key import existing_key
from neuron_cluster.aws.kms import key_policy
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.deploy.preflight.ebs_key import enabling
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.existing_policies import instance_statements, key_statements
from neuron_cluster.plan.storage_plan import BucketPlan, ExistingBucketPlan

WHAT = "the bucket and keys that exist"
PERMISSIONS = (
    "s3:ListBucket",
    "s3:GetBucketLocation",
    "s3:GetBucketVersioning",
    "s3:GetEncryptionConfiguration",
    "s3:GetLifecycleConfiguration",
    "s3:GetBucketObjectLockConfiguration",
    "s3:GetBucketPolicy",
    "kms:DescribeKey",
    "kms:GetKeyPolicy",
    "kms:GetKeyRotationStatus",
    "kms:ListResourceTags",
)

OF_OBJECTS = ("s3:GetObject", "s3:PutObject")
OF_KEYS = ("kms:Decrypt", "kms:GenerateDataKey")
SYMMETRIC = "SYMMETRIC_DEFAULT"
"""Key spec of the keys that S3, FSx, EBS and CloudWatch Logs encrypt with."""
VERSIONED = '{"Status": "Enabled"}'


def subjects(context: PreflightContext) -> list[str]:
    """Returns the bucket and the keys."""
    bucket = context.plan.storage.bucket if context.plan.storage is not None else None
    buckets = [bucket.existing.name] if bucket is not None and bucket.existing is not None else []
    return [*buckets, *(arn for _, arn in existing_keys(context))]


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9572 for what does not exist or does not fit; W9573 for statements and lifecycle rules that are missing."""
    storage = context.plan.storage
    if storage is None:
        return
    bucket = storage.bucket
    if bucket is not None and bucket.existing is not None:
        yield from _bucket(bucket, bucket.existing, context)
    for path, arn in existing_keys(context):
        yield from _key(path, arn, context)


def existing_keys(context: PreflightContext) -> Iterator[tuple[KeyPath, str]]:
    """Each key with the key of the file that names it."""
    storage = context.plan.storage
    if storage is not None and storage.key_arn is not None:
        yield (*storage.path, "key_arn"), storage.key_arn
    bucket = storage.bucket if storage is not None else None
    if bucket is not None and bucket.existing is not None and bucket.existing.key_arn is not None:
        yield (*bucket.path, "existing", "key_arn"), bucket.existing.key_arn


def _bucket(plan: BucketPlan, existing: ExistingBucketPlan, context: PreflightContext) -> Iterator[Finding]:
    place, name = (*plan.path, "existing", "name"), existing.name
    found = existing_bucket(context.destination.target, name, context.plan.account)
    if found is None:
        message = f"account {context.plan.account} has no bucket {name}, or the role that deploys may not list it"
        yield _error(place, message, "correct the name: `aws s3api list-buckets` lists the buckets", context)
        return
    if found.region != context.plan.region:
        message = f"{name} is in {found.region}; the environment is in {context.plan.region}"
        yield _error(place, message, f"name a bucket of {context.plan.region}", context)
    if not found.is_versioned:
        command = f"aws s3api put-bucket-versioning --bucket {name} --versioning-configuration '{VERSIONED}'"
        message = f"{name} has no versioning: a checkpoint that is overwritten or deleted is lost"
        yield _error(place, message, f"the owner of the bucket turns it on: `{command}`", context)
    yield from _encryption(plan, existing, found, context)
    yield from _denials(place, name, found.policy, [(each, f"{name}/any") for each in OF_OBJECTS], context)
    if found.locked_for and plan.object_lock is None:
        message = (
            f"Object Lock keeps each version in {name} for {found.locked_for}: no rule or command deletes it before"
        )
        hint = "use a bucket without default retention for checkpoints that expire, or expect to be billed for them"
        yield Finding("W9573", context.locate(place), message, hint)
    lacking = [each for each in plan.lifecycle_rules if (each.prefix, each.expire_days) not in found.lifecycle]
    if lacking:
        rules = listed(f"{each.prefix} after {each.expire_days} days" for each in lacking)
        message = f"{name} has no lifecycle rule that deletes {rules}: these objects stay and are billed"
        hint = f"the owner of the bucket adds it: `neuron-cluster plan {context.plan.name} --details` prints it"
        yield Finding("W9573", context.locate(place), message, hint)


def _encryption(
    plan: BucketPlan, existing: ExistingBucketPlan, found: ExistingBucket, context: PreflightContext
) -> Iterator[Finding]:
    """Yields a finding for another key; compares key ids, since a bucket may name its key by id or ARN."""
    given, has = (value.rpartition("/")[2] if value is not None else None for value in (existing.key_arn, found.key))
    if given == has:
        return
    place = (*plan.path, "existing", "key_arn" if existing.key_arn is not None else "name")
    message = f"{existing.name} is encrypted with {found.key or 'SSE-S3'}, not with {existing.key_arn or 'SSE-S3'}"
    hint = "write the ARN of its key as key_arn" if found.key is not None else "remove key_arn"
    yield _error(place, message, hint, context)


def _key(path: KeyPath, arn: str, context: PreflightContext) -> Iterator[Finding]:
    account = arn.split(":")[4]
    if account != context.plan.account:
        message = f"{arn} is of account {account}: {context.plan.account} cannot read its state and policy"
        hint = (
            f"the owner of the key lets IAM policies of {context.plan.account} use it, and adds what "
            f"`neuron-cluster plan {context.plan.name} --details` prints"
        )
        yield Finding("W9573", context.locate(path), message, hint)
        return
    found = existing_key(context.destination.target, arn)
    if found is None:
        hint = "correct the ARN: `aws kms list-keys` lists the keys"
        yield _error(path, f"there is no key {arn}", hint, context)
        return
    if found.kind["KeySpec"] != SYMMETRIC or found.kind["KeyManager"] != "CUSTOMER":
        kind = f"{found.kind['KeySpec']} ({found.kind['KeyUsage']})"
        message = f"{arn} is a key of {found.kind['KeyManager']} and {kind}: a symmetric customer managed key is needed"
        yield _error(path, message, "write the ARN of another key: `aws kms list-keys` lists the keys", context)
        return
    if (state := found.kind["KeyState"]) != "Enabled":
        message = f"{arn} is {state}: nothing is encrypted or read with it"
        show = f"`aws kms describe-key --key-id {arn} --region {context.destination.region}` shows its state"
        usable = enabling(arn, state, context) or f"its owner makes it available ({show})"
        yield _error(path, message, f"{usable}, or name another key", context)
        return
    policy = key_policy(context.destination.target, arn)
    yield from _denials(path, arn, policy, [(each, arn) for each in OF_KEYS], context)
    lacking = [each["Sid"] for each in key_statements(context.plan, arn) if _user(each) not in policy]
    lacking += [each["Sid"] for each in instance_statements(context.plan, arn) if not _is_allowed(each, policy)]
    if lacking:
        message = f"the policy of {arn} has no statement {listed(lacking)}"
        hint = f"the owner of the key adds it: `neuron-cluster plan {context.plan.name} --details` prints it"
        yield Finding("W9573", context.locate(path), message, hint)


def _denials(
    path: KeyPath, owned: str, policy: str, calls: Sequence[tuple[str, str]], context: PreflightContext
) -> Iterator[Finding]:
    """Statements against reads and writes of a role of the account, made over TLS in the Region of the environment."""
    plan = context.plan
    keys = {"aws:securetransport": "true", "aws:principalaccount": plan.account, "aws:requestedregion": plan.region}
    told = {key: (value,) for key, value in keys.items()}
    principal = f"arn:{plan.partition}:iam::{plan.account}:role/node"
    states: dict[Passage, list[str]] = {}
    for action, resource in calls:
        arn = resource if resource.startswith("arn:") else f"arn:{plan.partition}:s3:::{resource}"
        states.setdefault(denial(policy, Request(principal, action, arn, told)), []).append(action)
    if closed := states.get(Passage.CLOSED):
        message = f"the policy of {owned} denies {listed(closed)} to every role"
        yield _error(path, message, "its owner excepts the roles of the environment from the statement", context)
    if unknown := states.get(Passage.UNKNOWN):
        message = f"the policy of {owned} may deny {listed(unknown)}: by principals or conditions that only calls have"
        hint = "its owner excepts the roles of the environment from each Deny statement that does not mean them"
        yield Finding("W9573", context.locate(path), message, hint)


def _user(statement: dict[str, object]) -> str:
    """The principal that a statement is for, as a policy writes it."""
    text = str(statement)
    return "AWSServiceRoleForFSxS3Access" if "AWSServiceRoleForFSxS3Access" in text else "logs."


def _is_allowed(statement: Mapping[str, Any], policy: str) -> bool:
    """Whether the policy names the account, whose IAM policies then decide, or a role of each path."""
    roles = statement["Condition"]["ArnLike"]["aws:PrincipalArn"]
    return f'"{statement["Principal"]["AWS"]}"' in policy or all(each.removesuffix("*") in policy for each in roles)


def _error(path: KeyPath, message: str, hint: str, context: PreflightContext) -> Finding:
    return Finding("E9572", context.locate(path), message, hint)
