"""Another bucket, file system or key in the place of one that exists outside of the stacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.cloudformation.values import Address
from local_kubernetes.model.fields import at, items
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.effects import normal_text
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import describe, name_in
from neuron_cluster.findings.text import listed

FILE_SYSTEM, BUCKET = "LustreFileSystem", "CheckpointBucket"
"""Outputs of the storage stack."""
ROLE_TYPES = ("AWS::IAM::Role", "AWS::IAM::Policy")


class ExistingFileSystemChanged(Guard):
    """A file system that exists stays that of the environment (`storage.lustre.existing`).

    Pods and machines would mount another file system with other files: jobs find no checkpoint there and begin anew,
    and no step of a deploy copies files. Kubernetes changes no source of a PersistentVolume, so that the deploy fails
    after it has updated other stacks. Neither file system is changed.
    """

    id = "E9576"
    key = ("storage", "lustre", "existing")
    source = "https://kubernetes.io/docs/concepts/storage/persistent-volumes/"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address, old, new in exchanged(comparison, FILE_SYSTEM):
            yield Violation(
                address,
                f"pods and machines would mount {new} in the place of the file system {old}: its files are not "
                "copied, and jobs find no checkpoint there",
                f"undo the edit. To move to the other one: 1. stop the jobs, and copy the files from a client that "
                f"mounts both; 2. take lustre out of storage, with lustre in claims, and deploy: {old} stays as it "
                "is; 3. delete the claims lustre and the volumes lustre-NAMESPACE with kubectl (docs/storage.md, "
                "Removed keys); 4. put lustre back with the other file system and deploy",
            )


class ExistingBucketChanged(Guard):
    """A bucket that exists stays the checkpoint bucket of the environment (`storage.checkpoint_bucket.existing`).

    Programs would write to another bucket and find no checkpoint there, and no step of a deploy copies objects. Roles
    lose their rights for the old bucket, which stays as it is. A claim of datasets names the bucket in a
    PersistentVolume, which Kubernetes does not change.
    """

    id = "E9577"
    key = ("storage", "checkpoint_bucket", "existing")
    source = "https://kubernetes.io/docs/concepts/storage/persistent-volumes/"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address, old, new in exchanged(comparison, BUCKET):
            yield Violation(
                address,
                f"programs would write to {new} in the place of the bucket {old}: its objects are not copied, and jobs "
                "find no checkpoint there",
                f"undo the edit. To move to the other one: 1. stop the jobs, and copy what they resume from with aws "
                f"s3 sync; 2. take checkpoint_bucket out of storage, with the keys that need it, and deploy: {old} "
                "stays as it is; 3. put checkpoint_bucket back with the other bucket and deploy",
            )


class KeyOfRolesChanged(Guard):
    """Roles keep the right to use the key of the objects that they read (`key_arn`).

    Objects stay encrypted with the key that they were written with. After the deploy roles may use the other key
    alone: each read of an older object fails with AccessDenied, a restore of a checkpoint, too.
    """

    id = "W9578"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html"
    only_without_errors = True

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        """Once for all roles."""
        found = [each for each in sorted(comparison.updated) if _exchanged_keys(comparison, each) is not None]
        if not found:
            return
        old, new = _exchanged_keys(comparison, found[0]) or ("", "")
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        yield Violation(
            found[0],
            f"{name_in(comparison, found[0])}{more} would use {new} and no longer {old}: objects that are encrypted "
            "with the old key stay so, and cannot be read",
            "keep key_arn as deployed; or, before the deploy, encrypt the objects that are still read with the other "
            "key: aws s3 cp --recursive onto themselves, with --sse aws:kms and --sse-kms-key-id",
        )


def exchanged(comparison: Comparison, output: str) -> Iterator[tuple[Address, str, str]]:
    """Where an output names something that exists and another thing after the edit: both, in words."""
    after = dict(comparison.after.outputs(output))
    for stack, old in comparison.before.outputs(output):
        new = after.get(stack)
        if stack not in comparison.gone_stacks and isinstance(old, str) and new is not None and old != new:
            shown = new if isinstance(new, str) else f"a new, empty one ({describe(comparison.after, new)})"
            yield Address(stack, output), old, shown


def _exchanged_keys(comparison: Comparison, address: Address) -> tuple[str, str] | None:
    """Returns keys that a role can no longer use, and their replacements; None where it only gets or loses a right."""
    if comparison.type_of(address) not in ROLE_TYPES:
        return None
    states = (comparison.before, comparison.after)
    before, after = (_keys(stacks.properties(address)) for stacks in states)
    gone, new = (
        [key for name, key in one.items() if name not in other] for one, other in ((before, after), (after, before))
    )
    if not gone or not new:
        return None
    return listed([str(describe(comparison.before, key)) for key in gone]), str(describe(comparison.after, new[0]))


def _keys(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Resources of statements about KMS, by their text."""
    documents = [
        properties.get("PolicyDocument"),
        *(at(each, "PolicyDocument") for each in items(properties.get("Policies"))),
    ]
    statements = [each for document in documents for each in items(at(document, "Statement"))]
    of_kms = [at(each, "Resource") for each in statements if "kms:" in normal_text(at(each, "Action") or "")]
    flat = [one for each in of_kms for one in (items(each) or [each])]
    return {normal_text(each): each for each in flat if each is not None}
