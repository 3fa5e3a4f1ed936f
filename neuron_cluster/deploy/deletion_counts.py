"""Counts of objects in the buckets of which an edit deletes something, by the rules that S3 applies now."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from neuron_cluster.aws.bucket_rules import bucket_rules
from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.object_versions import Listing, object_versions
from neuron_cluster.aws.session import Target
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.deleting_edits import (
    ExpiringBucket,
    MirroredDeletions,
    buckets_that_stay,
    expiring_buckets,
    lets_lifecycle_run,
    mirrored_deletions,
)
from neuron_cluster.changes.expiry_rules import ExpiryRule, Sooner, rules_of_bucket
from neuron_cluster.changes.guards.base import Violation
from neuron_cluster.changes.guards.deleted_data import (
    DataDeleted,
    ReplaceableDataDeleted,
    cache_violation,
    expiry_violation,
    mirror_violation,
)
from neuron_cluster.deploy.counted_objects import count_text, goes_sooner, mirror_count_text
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding, Location, has_error

Contents = Listing | str
"""The objects below a prefix; a text: why they are not known."""


def with_counted_deletions(target: Target, comparison: Comparison, found: Sequence[Finding]) -> list[Finding]:
    """The findings, E9049 and W9050 about buckets with what is in them; none about an empty prefix.

    Queries S3 only for an edit of a lifecycle rule or an association, and only where nothing else stops the deploy.
    """
    buckets, mirrored = buckets_that_stay(comparison), list(mirrored_deletions(comparison))
    places = {(each.stack, each.logical_id) for each in buckets}
    of_guards = [each for each in found if not _is_counted(each, places)]
    if has_error(of_guards) or not (buckets or mirrored):
        return list(found)
    names = _names(target, {each.stack for each in (*buckets, *(edit.address for edit in mirrored))})
    known = ((each, _rules(target, names.get((each.stack, each.logical_id), ""))) for each in buckets)
    in_force = {each: rules for each, rules in known if rules is not None}
    for bucket in expiring_buckets(comparison, in_force):
        address = bucket.address
        of_guards += _of_bucket(target, names.get((address.stack, address.logical_id), ""), bucket)
    for edit in mirrored:
        made = names.get((edit.bucket.stack, edit.bucket.logical_id), "") if edit.bucket is not None else ""
        of_guards += _of_association(target, edit.bucket_name or made, edit)
    return of_guards


def _is_counted(finding: Finding, buckets: Collection[tuple[str, str]]) -> bool:
    is_of_bucket = (finding.location.file, finding.location.path) in buckets
    return finding.id == DataDeleted.id or (finding.id == ReplaceableDataDeleted.id and is_of_bucket)


def _names(target: Target, stacks: Collection[str]) -> Mapping[tuple[str, str], str]:
    """Physical ids of resources by stack and logical id."""
    found = ((stack, each) for stack in sorted(stacks) for each in resources(target, stack))
    return {(stack, each.logical_id): each.physical_id for stack, each in found}


def _rules(target: Target, name: str) -> list[ExpiryRule] | None:
    """The rules that S3 runs for the bucket now; None where they cannot be read: then the template decides."""
    if not name:
        return None
    try:
        found = bucket_rules(target, name)
    except ToolkitError:
        return None
    return [] if found.is_directory and not lets_lifecycle_run(found.policy) else rules_of_bucket(found.rules)


def _of_bucket(target: Target, name: str, bucket: ExpiringBucket) -> Iterator[Finding]:
    contents = {change: _contents(target, name, change.prefix) for change in bucket.sooner}
    concerned = tuple(each for each in bucket.sooner if _is_concerned(each, contents[each]))
    shown = msgspec.structs.replace(bucket, sooner=concerned)
    if shown.data:
        yield _finding(DataDeleted.id, expiry_violation(shown), _counts(shown.data, contents))
    if shown.made_again:
        yield _finding(ReplaceableDataDeleted.id, cache_violation(shown), _counts(shown.made_again, contents))


def _of_association(target: Target, name: str, edit: MirroredDeletions) -> Iterator[Finding]:
    contents = _contents(target, name, edit.prefix)
    if isinstance(contents, str) or contents.versions or not contents.is_complete:
        text = _not_counted(contents) if isinstance(contents, str) else mirror_count_text(edit.prefix, contents)
        yield _finding(DataDeleted.id, mirror_violation(edit), text)


def _contents(target: Target, name: str, prefix: str) -> Contents:
    if not name:
        return "the name of the bucket is not known"
    try:
        return object_versions(target, name, prefix)
    except ToolkitError as error:
        return error.message


def _is_concerned(change: Sooner, contents: Contents) -> bool:
    return isinstance(contents, str) or goes_sooner(change, contents)


def _counts(changes: Sequence[Sooner], contents: Mapping[Sooner, Contents]) -> str:
    texts = [
        _not_counted(found) if isinstance(found := contents[each], str) else count_text(each, found) for each in changes
    ]
    return ". ".join(dict.fromkeys(texts))


def _not_counted(why: str) -> str:
    return f"Not counted: {why}"


def _finding(identity: str, violation: Violation, counts: str) -> Finding:
    place = Location(violation.address.stack, path=violation.address.logical_id)
    return Finding(identity, place, f"{violation.message}. {counts}", violation.hint)
