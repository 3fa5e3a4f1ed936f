"""Objects that S3 copied to a replica are no longer copied there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.cloudformation.values import Address
from local_kubernetes.model.fields import at, items
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.findings.text import listed

BUCKET = "AWS::S3::Bucket"


class ReplicationNarrowed(Guard):
    """What a checkpoint bucket replicates, it replicates further, to the same bucket (`replication`).

    S3 copies only objects that are written while a rule covers them. Without it nothing copies new checkpoints, and no
    later deploy reports it. Copies stay in the replica and become outdated; a new replica has none of the objects that
    exist.
    """

    id = "W9051"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication-what-is-isnot-replicated.html"
    key = ("storage", "checkpoint_bucket", "replication")
    only_without_errors = True

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        """Once for each bucket."""
        for address in sorted(comparison.updated):
            if comparison.type_of(address) == BUCKET and (found := _narrowed(comparison, address)) is not None:
                yield found


def _narrowed(comparison: Comparison, address: Address) -> Violation | None:
    before, after = (_replicas(stacks, address) for stacks in (comparison.before, comparison.after))
    lost = [prefix for prefix in before if not any(prefix.startswith(each) for each in after)]
    if lost:
        replicas = listed(sorted({before[each] for each in lost}))
        return Violation(
            address,
            f"S3 would no longer copy objects below {listed(lost)} to {replicas}: "
            "new ones are only in the checkpoint bucket, and the copies become outdated",
            "put them back into replication of storage.checkpoint_bucket, unless another process copies them",
        )
    moved = sorted(set(after.values()) - set(before.values())) if before else []
    if moved:
        return Violation(
            address,
            f"S3 would copy new objects to {listed(moved)}, where those that exist are not: their copies stay in "
            f"{listed(sorted(set(before.values())))}",
            "keep the former replica, or copy what exists with S3 Batch Replication after the deploy",
        )
    return None


def _replicas(stacks: StackSet, address: Address) -> Mapping[str, str]:
    """The bucket of the copies by prefix, of the enabled rules."""
    rules = items(at(stacks.properties(address), "ReplicationConfiguration", "Rules"))
    return {
        _prefix(rule): _name(at(rule, "Destination", "Bucket")) for rule in rules if at(rule, "Status") == "Enabled"
    }


def _prefix(rule: Any) -> str:
    return str(at(rule, "Filter", "Prefix") or "")


def _name(arn: Any) -> str:
    return str(arn).rpartition(":")[2]
