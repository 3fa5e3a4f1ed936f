"""A bucket that exists, and its key, become resources of the storage stack: what is imported, and what differs.

The template of the import has what both have today. CloudFormation compares templates, not resources: the next deploy
then sets every difference, and its rollback goes back to today's values.
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
from neuron_cluster.aws.existing_key import ExistingKey
from neuron_cluster.aws.kms import key
from neuron_cluster.aws.s3 import has_objects
from neuron_cluster.deploy.assembly import AssembledStack
from neuron_cluster.deploy.busy_stacks import ONLY_PLANNED
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.key_import import importable_key, require_data_key
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.cluster_plan import ClusterPlan

BUCKET, KEY = "AWS::S3::Bucket", "AWS::KMS::Key"
AS_S3_HAS_THEM = frozenset({"LifecycleConfiguration", "ReplicationConfiguration"})
"""Properties whose rules S3 and CloudFormation write differently: they are shown, and not in the import's template."""
OF_A_DELETION = frozenset({"PendingWindowInDays"})
"""Properties of no key that exists."""
NAMED_PARTS = {"Tags": "", "KeyPolicy": "Statement", "LifecycleConfiguration": "Rules"}
"""Properties with a list of what has an id each, and where they have it."""


class Difference(Struct, frozen=True):
    """A property that the next deploy sets."""

    type: str
    property: str
    in_account: str
    after_deploy: str


class Expiry(Struct, frozen=True):
    """Objects that the bucket has now, and that S3 deletes after the next deploy."""

    prefix: str
    days: int
    """After the write of an object."""


class BucketImport(Struct, frozen=True):
    """The changes of an import, and those of the next deploy."""

    stack: str
    template: Mapping[str, Any]
    resources: tuple[ImportedResource, ...]
    differences: tuple[Difference, ...]
    expiring: tuple[Expiry, ...]
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


def plan_import(
    plan: ClusterPlan, assembled: AssembledStack, destination: Destination, bucket: str, key_id: str | None = None
) -> BucketImport:
    """Compares bucket and key with the template. Changes nothing.

    Raises ``ToolkitError`` for what cannot be imported.
    """
    template = assembled.template
    _require_no_stack(assembled.name, destination)
    data_key, imported, wanted, present = None, [], {}, {}
    if key_id is not None:
        require_data_key(plan)
        name, properties = _only(template, KEY)
        data_key = importable_key(plan, destination, key_id, properties)
        imported.append(ImportedResource(KEY, name, "KeyId", data_key.id))
        wanted[name], present[name] = properties, data_key.properties
    _require_importable(plan, destination, bucket, data_key)
    name, properties = _only(template, BUCKET)
    imported.append(ImportedResource(BUCKET, name, "BucketName", bucket))
    wanted[name] = _with_key(properties, data_key)
    present[name] = bucket_properties(destination.target, bucket, plan.account)
    return BucketImport(
        stack=assembled.name,
        template={
            "Description": template["Description"],
            "Resources": {each: _definition(template["Resources"][each], present[each]) for each in present},
        },
        resources=tuple(imported),
        differences=tuple(
            difference
            for each in imported
            for difference in _differences(each.type, wanted[each.logical_id], present[each.logical_id])
        ),
        expiring=tuple(_expiring(properties, destination, bucket)),
        remaining=assembled.resources - len(imported),
        is_protected=assembled.is_protected,
    )


def _definition(written: Mapping[str, Any], present: Mapping[str, Any]) -> dict[str, Any]:
    """A resource of the import's template: as it is today, of what the stack will set, kept as the stack keeps it."""
    wanted = written["Properties"]
    properties = {name: value for name, value in present.items() if name in wanted and name not in AS_S3_HAS_THEM}
    policies = {name: written[name] for name in ("DeletionPolicy", "UpdateReplacePolicy")}
    return {"Type": written["Type"], "Properties": properties, **policies}


def _with_key(properties: Mapping[str, Any], data_key: ExistingKey | None) -> Mapping[str, Any]:
    """The properties of the bucket with the ARN of the imported key in the place of the reference to it."""
    if data_key is None:
        return properties
    (rule,) = properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    default = rule["ServerSideEncryptionByDefault"] | {"KMSMasterKeyID": data_key.arn}
    encryption = {"ServerSideEncryptionConfiguration": [rule | {"ServerSideEncryptionByDefault": default}]}
    return {**properties, "BucketEncryption": encryption}


def _expiring(properties: Mapping[str, Any], destination: Destination, bucket: str) -> Iterator[Expiry]:
    """Prefixes with objects that a rule of the template expires: the age of an object counts from its write."""
    for rule in properties["LifecycleConfiguration"]["Rules"]:
        days, prefix = rule.get("ExpirationInDays"), rule.get("Prefix", "")
        if days is not None and has_objects(destination.target, bucket, prefix):
            yield Expiry(prefix, days)


def _require_no_stack(name: str, destination: Destination) -> None:
    found = stack(destination.target, name)
    if found is not None and found.status != ONLY_PLANNED:
        raise ToolkitError(
            f"the stack {name} exists already ({found.status}); an import creates it",
            hint="to use the bucket beside it, write storage.checkpoint_bucket.existing",
        )


def _require_importable(plan: ClusterPlan, destination: Destination, bucket: str, data_key: ExistingKey | None) -> None:
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
        _require_own_key(plan, destination, bucket, found.key, data_key)


def _require_own_key(
    plan: ClusterPlan, destination: Destination, bucket: str, key_id: str, data_key: ExistingKey | None
) -> None:
    """The roles of the environment may use the data key only: with another one they cannot read what the bucket has."""
    resolved = key(destination.target, key_id)
    own_id = resolved.id if resolved is not None else key_id.rpartition("/")[2]
    data_key_arn = data_key.arn if data_key is not None else plan.storage.key_arn if plan.storage is not None else None
    if data_key_arn is not None and data_key_arn.rpartition("/")[2] == own_id:
        return
    arn = f"arn:{plan.partition}:kms:{plan.region}:{plan.account}:key/{own_id}"
    raise ToolkitError(
        f"{bucket} is encrypted with the key {key_id}, and the roles of {plan.name} could not read its objects",
        hint=f"import the key too, --key {own_id}; or write storage.key_arn: {arn}, without an import of the key",
    )


def _only(template: Mapping[str, Any], kind: str) -> tuple[str, Mapping[str, Any]]:
    """Logical id and properties of the one resource of this type."""
    ((name, definition),) = [(name, each) for name, each in template["Resources"].items() if each["Type"] == kind]
    return name, definition["Properties"]


def _differences(kind: str, wanted: Mapping[str, Any], present: Mapping[str, Any]) -> Iterator[Difference]:
    for name, value in wanted.items():
        if present.get(name) != value and name not in OF_A_DELETION:
            yield Difference(kind, name, _words(name, present.get(name)), _words(name, value))


def _words(name: str, value: Any) -> str:
    """Names of rules and statements, and keys of tags, in place of their content."""
    if not value:
        return "none"
    if name in NAMED_PARTS:
        parts = value if isinstance(value, list) else value[NAMED_PARTS[name]]
        names = (
            next((part[key] for key in ("Key", "Sid", "Id", "ID") if part.get(key)), "without id") for part in parts
        )
        return ", ".join(names)
    if name == "BucketEncryption":
        default = value["ServerSideEncryptionConfiguration"][0]["ServerSideEncryptionByDefault"]
        used = default.get("KMSMasterKeyID")
        written = "the data key of the stack" if isinstance(used, dict) else used
        return ", ".join(each for each in (default["SSEAlgorithm"], written) if each)
    if isinstance(value, dict):
        return _pairs(value)
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _pairs(value: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}: {each if isinstance(each, str) else json.dumps(each)}" for key, each in value.items())
