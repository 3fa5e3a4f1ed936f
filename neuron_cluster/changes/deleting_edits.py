"""Edits after which a service deletes data that exists, although no resource is replaced or removed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address, Reference
from local_kubernetes.model.fields import at, items
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.expiry_rules import ExpiryRule, Sooner, rules_of_template, sooner
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX, EXPIRY_RULE

BUCKET, DIRECTORY_BUCKET = "AWS::S3::Bucket", "AWS::S3Express::DirectoryBucket"
DIRECTORY_BUCKET_POLICY = "AWS::S3Express::BucketPolicy"
ASSOCIATION = "AWS::FSx::DataRepositoryAssociation"
LIFECYCLE = "LifecycleConfiguration"
LIFECYCLE_SERVICE = "lifecycle.s3.amazonaws.com"
"""Runs the rules of a directory bucket as a principal that the policy of the bucket must allow.
Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/directory-buckets-objects-lifecycle.html
"""
DELETED = "DELETED"
"""The event of an association for a file or object that is deleted."""


class ExpiringBucket(Struct, frozen=True):
    """A bucket whose objects or versions S3 deletes earlier."""

    address: Address
    name: str
    sooner: tuple[Sooner, ...]
    is_shared: bool = False
    """Whether files were copied below the prefix of the compile cache before the edit."""

    @property
    def data(self) -> tuple[Sooner, ...]:
        """Without what programs make again. Below the prefix of the cache, other rules may be of checkpoints."""
        return tuple(each for each in self.sooner if each.rule != EXPIRY_RULE or self.is_shared)

    @property
    def made_again(self) -> tuple[Sooner, ...]:
        """The deletions by the rule of the compile cache: a graph is compiled again."""
        return tuple(each for each in self.sooner if each.rule == EXPIRY_RULE and not self.is_shared)


class MirroredDeletions(Struct, frozen=True):
    """An association that begins to delete on one side what is deleted on the other."""

    address: Address
    bucket: Address | None
    """The resource; None for a bucket that exists outside of the stacks."""
    bucket_name: str
    """Name of a bucket that exists outside of the stacks; else empty."""
    prefix: str
    exports: bool
    """Whether files that are deleted on the file system are deleted in the bucket."""
    imports: bool
    """Whether objects that are deleted in the bucket are deleted on the file system."""


def expiring_buckets(
    comparison: Comparison, deployed: Mapping[Address, Sequence[ExpiryRule]] | None = None
) -> list[ExpiringBucket]:
    """Buckets that stay and expire something earlier.

    ``deployed`` has the rules that S3 applies now, where they are known; else the deployed template decides.
    """
    found = []
    for address in buckets_that_stay(comparison):
        before = (deployed or {}).get(address)
        known = rules_in_force(comparison.before, address) if before is None else before
        if changes := tuple(sooner(known, rules_in_force(comparison.after, address))):
            is_shared = _holds_files(comparison.before, COMPILE_CACHE_PREFIX)
            found.append(ExpiringBucket(address, name_in(comparison, address), changes, is_shared))
    return found


def buckets_that_stay(comparison: Comparison) -> list[Address]:
    """Buckets whose rules, or the policy that lets S3 run them, the edit writes again, also with the same expiry.

    The rules are written as a whole: an edit of another part of them undoes what a person changed by hand.
    """
    stay = comparison.before.addresses() & comparison.after.addresses() - set(comparison.removed)
    return [
        address
        for address in sorted(stay - set(comparison.replaced))
        if comparison.type_of(address) in (BUCKET, DIRECTORY_BUCKET)
        and _written(comparison.before, address) != _written(comparison.after, address)
    ]


def rules_in_force(stacks: StackSet, address: Address) -> list[ExpiryRule]:
    """The rules of a template that S3 runs: none of a directory bucket whose policy does not allow it."""
    is_run = stacks.resource(address)["Type"] == BUCKET or any(map(lets_lifecycle_run, _policies(stacks, address)))
    return rules_of_template(stacks.properties(address).get(LIFECYCLE)) if is_run else []


def lets_lifecycle_run(document: Any) -> bool:
    """Whether a statement of the policy of a directory bucket allows sessions of S3 Lifecycle."""
    allowed = (each for each in items(at(document, "Statement")) if at(each, "Effect") == "Allow")
    return any(
        LIFECYCLE_SERVICE in (at(each, "Principal", "Service"), *items(at(each, "Principal", "Service")))
        and "s3express:CreateSession" in (at(each, "Action"), *items(at(each, "Action")))
        for each in allowed
    )


def mirrored_deletions(comparison: Comparison) -> Iterator[MirroredDeletions]:
    """Associations that follow deletions after the edit, and did not before: also one that is added to what exists."""
    for address in sorted({*comparison.updated, *comparison.replaced, *comparison.added}):
        if comparison.type_of(address) != ASSOCIATION:
            continue
        after = comparison.after.properties(address)
        exports, imports = (
            _begins((_followed_before(comparison, address), after), policy)
            for policy in ("AutoExportPolicy", "AutoImportPolicy")
        )
        edit = MirroredDeletions(address, *_repository(after.get("DataRepositoryPath")), exports, imports)
        if (exports or imports) and _existed(comparison, edit):
            yield edit


def _followed_before(comparison: Comparison, address: Address) -> Mapping[str, Any]:
    """The properties of the association of the same objects; empty where they had none."""
    if address not in comparison.before.addresses():
        return {}
    before, after = (stacks.properties(address) for stacks in (comparison.before, comparison.after))
    return before if before.get("DataRepositoryPath") == after.get("DataRepositoryPath") else {}


def _existed(comparison: Comparison, edit: MirroredDeletions) -> bool:
    """Whether the bucket may have objects of before the edit: not in the first deploy."""
    before = comparison.before.addresses()
    if edit.bucket is not None:
        return edit.bucket in before
    return any(each.stack == edit.address.stack for each in before)


def expiry_text(changes: Sequence[Sooner]) -> str:
    """``objects below checkpoints/ 7 days after they are written (now: never)``, …"""
    return listed([text for change in changes for text in _clauses(change)])


def mirror_text(edit: MirroredDeletions) -> str:
    """``deletes objects below checkpoints/ whose files are deleted``, …"""
    ways = [f"deletes objects below {edit.prefix} whose files are deleted on the file system"] * edit.exports
    ways += [f"deletes files whose objects below {edit.prefix} are deleted in the bucket"] * edit.imports
    return listed(ways)


def _clauses(change: Sooner) -> Iterator[str]:
    where = f"below {change.prefix}" if change.prefix else "of the whole bucket"
    if change.days is not None:
        yield f"objects {where} {_days(change.days)} after they are written (now: {_days(change.days_before)})"
    if change.version_days is not None:
        yield (
            f"older versions {where} {_days(change.version_days)} after they are replaced or deleted "
            f"(now: {_days(change.version_days_before)})"
        )


def _days(number: int | None) -> str:
    if number is None:
        return "never"
    return "1 day" if number == 1 else f"{number} days"


def _written(stacks: StackSet, bucket: Address) -> tuple[Any, list[Any]]:
    """Returns the lifecycle rules and the policies of a directory bucket, as CloudFormation writes them."""
    return stacks.properties(bucket).get(LIFECYCLE), _policies(stacks, bucket)


def _policies(stacks: StackSet, bucket: Address) -> list[Any]:
    """The policy documents of a directory bucket."""
    if stacks.resource(bucket)["Type"] != DIRECTORY_BUCKET:
        return []
    policies = (each for each in stacks.addresses() if stacks.resource(each)["Type"] == DIRECTORY_BUCKET_POLICY)
    of_bucket = (stacks.properties(each) for each in sorted(policies))
    return [
        each.get("PolicyDocument")
        for each in of_bucket
        if any(reference.target == bucket for reference in references(each.get("Bucket")))
    ]


def _holds_files(stacks: StackSet, prefix: str) -> bool:
    """Whether an association copies files to objects below the prefix."""
    found = (each for each in stacks.addresses() if stacks.resource(each)["Type"] == ASSOCIATION)
    paths = (stacks.properties(each).get("DataRepositoryPath") for each in found)
    return any(_repository(each)[2].startswith(prefix) for each in paths)


def _begins(states: Sequence[Mapping[str, Any]], policy: str) -> bool:
    before, after = (DELETED in items(at(each, "S3", policy, "Events")) for each in states)
    return after and not before


def _repository(path: Any) -> tuple[Address | None, str, str]:
    """Resource or name of the bucket, and the prefix, of ``s3://BUCKET/PREFIX/``, whose bucket may be a reference."""
    parts = at(path, "Fn::Join")
    if isinstance(parts, list) and len(parts) == 3 and isinstance(parts[1], Reference):  # noqa: PLR2004
        return parts[1].target, "", str(parts[2]).removeprefix("/")
    name, _, prefix = str(path).removeprefix("s3://").partition("/")
    return None, name, prefix
