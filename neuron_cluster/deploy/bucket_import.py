"""A bucket that exists and becomes the checkpoint bucket of the storage stack: what is imported, and what differs.

The template of the import has what the bucket has today. CloudFormation compares templates, not the bucket: the next
deploy then sets every difference, and its rollback goes back to today's values.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.bucket_properties import bucket_properties, has_policy
from neuron_cluster.aws.change_sets import ImportedResource
from neuron_cluster.aws.cloudformation import stack, stack_with
from neuron_cluster.aws.existing_bucket import existing_bucket
from neuron_cluster.aws.kms import key
from neuron_cluster.deploy.assembly import AssembledStack
from neuron_cluster.deploy.busy_stacks import ONLY_PLANNED
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.cluster_plan import ClusterPlan

BUCKET = "AWS::S3::Bucket"
AS_S3_HAS_THEM = frozenset({"LifecycleConfiguration", "ReplicationConfiguration"})
"""Properties whose rules S3 and CloudFormation write differently: they are shown, and not in the import's template."""


class Difference(Struct, frozen=True):
    """A property of the bucket that the next deploy sets."""

    property: str
    in_account: str
    after_deploy: str


class BucketImport(Struct, frozen=True):
    """What an import does, and what the next deploy does afterwards."""

    stack: str
    template: Mapping[str, Any]
    resources: tuple[ImportedResource, ...]
    differences: tuple[Difference, ...]
    remaining: int
    """Resources of the stack that the next deploy creates."""
    is_protected: bool
    """Termination protection of the stack."""


def require_importing(plan: ClusterPlan) -> None:
    """Raises ``ToolkitError`` for a file whose storage stack creates no checkpoint bucket."""
    bucket = plan.storage.bucket if plan.storage is not None else None
    if bucket is None:
        raise ToolkitError(
            f"{plan.name} has no checkpoint bucket: the file has no storage.checkpoint_bucket",
            hint="write storage: {checkpoint_bucket: {}}, and run the command again",
        )
    if bucket.existing is not None:
        raise ToolkitError(
            f"the file refers to {bucket.existing.name} by storage.checkpoint_bucket.existing, and nothing is imported",
            hint="delete `existing` to make the bucket a resource of the stack; keep it, and no import is necessary",
        )


def plan_import(plan: ClusterPlan, assembled: AssembledStack, destination: Destination, bucket: str) -> BucketImport:
    """Compares the bucket with the template. Changes nothing; raises ``ToolkitError`` for what cannot be imported."""
    _require_no_stack(assembled.name, destination)
    _require_importable(plan, destination, bucket)
    logical_id, definition = _bucket_of(assembled.template)
    wanted = definition["Properties"]
    present = bucket_properties(destination.target, bucket, plan.account)
    properties = {name: value for name, value in present.items() if name in wanted and name not in AS_S3_HAS_THEM}
    policies = {name: definition[name] for name in ("DeletionPolicy", "UpdateReplacePolicy")}
    return BucketImport(
        stack=assembled.name,
        template={
            "Description": assembled.template["Description"],
            "Resources": {logical_id: {"Type": BUCKET, "Properties": properties, **policies}},
        },
        resources=(ImportedResource(BUCKET, logical_id, "BucketName", bucket),),
        differences=tuple(_differences(wanted, present)),
        remaining=assembled.resources - 1,
        is_protected=assembled.is_protected,
    )


def _require_no_stack(name: str, destination: Destination) -> None:
    found = stack(destination.target, name)
    if found is not None and found.status != ONLY_PLANNED:
        raise ToolkitError(
            f"the stack {name} exists already ({found.status}); an import creates it",
            hint="to use the bucket beside it, write storage.checkpoint_bucket.existing",
        )


def _require_importable(plan: ClusterPlan, destination: Destination, bucket: str) -> None:
    target = destination.target
    found = existing_bucket(target, bucket, plan.account)
    if found is None:
        raise ToolkitError(
            f"account {plan.account} has no bucket {bucket}, or these credentials may not read it",
            hint="check the name; a bucket of another account cannot be imported",
        )
    if found.region != plan.region:
        raise ToolkitError(
            f"{bucket} is in {found.region}; the environment is in {plan.region}",
            hint=f"name a bucket of {plan.region}: a stack holds resources of its own Region",
        )
    if holder := stack_with(target, bucket):
        raise ToolkitError(
            f"{bucket} is a resource of the stack {holder}, and a resource can be in one stack",
            hint=f"set its DeletionPolicy there to Retain, deploy, and remove it from the template of {holder}",
        )
    if has_policy(target, bucket, plan.account):
        command = destination.aws_command("s3api delete-bucket-policy", bucket=bucket)
        raise ToolkitError(
            f"{bucket} has a bucket policy, and the next deploy creates one: CloudFormation does not replace it",
            hint=f"keep its statements elsewhere, and delete it: `{command}`",
        )
    if found.key is not None:
        _require_own_key(plan, destination, bucket, found.key)


def _require_own_key(plan: ClusterPlan, destination: Destination, bucket: str, key_id: str) -> None:
    """The roles of the environment may use the data key only: with another one they cannot read what the bucket has."""
    resolved = key(destination.target, key_id)
    own_id = resolved.id if resolved is not None else key_id.rpartition("/")[2]
    data_key = plan.storage.key_arn if plan.storage is not None else None
    if data_key is not None and data_key.rpartition("/")[2] == own_id:
        return
    arn = f"arn:{plan.partition}:kms:{plan.region}:{plan.account}:key/{own_id}"
    raise ToolkitError(
        f"{bucket} is encrypted with the key {key_id}, and the roles of {plan.name} could not read its objects",
        hint=f"write storage.key_arn: {arn}, and run the command again: an import of the key itself is not supported",
    )


def _bucket_of(template: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    ((logical_id, definition),) = [
        (name, each) for name, each in template["Resources"].items() if each["Type"] == BUCKET
    ]
    return logical_id, definition


def _differences(wanted: Mapping[str, Any], present: Mapping[str, Any]) -> Iterator[Difference]:
    for name, value in wanted.items():
        if present.get(name) != value:
            yield Difference(name, _words(name, present.get(name)), _words(name, value))


def _words(name: str, value: Any) -> str:
    """Names of rules and keys of tags in place of their content; references as ``key of the stack``."""
    if not value:
        return "none"
    if name == "Tags":
        return ", ".join(tag["Key"] for tag in value)
    if name == "LifecycleConfiguration":
        return ", ".join(rule.get("Id") or rule.get("ID") or "without id" for rule in value["Rules"])
    if name == "BucketEncryption":
        default = value["ServerSideEncryptionConfiguration"][0]["ServerSideEncryptionByDefault"]
        used = default.get("KMSMasterKeyID")
        written = "the data key of the stack" if isinstance(used, dict) else used
        return ", ".join(each for each in (default["SSEAlgorithm"], written) if each)
    return json.dumps(value, sort_keys=True) if not isinstance(value, dict) else _pairs(value)


def _pairs(value: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}: {each if isinstance(each, str) else json.dumps(each)}" for key, each in value.items())
