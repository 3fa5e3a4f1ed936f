"""The Slurm version goes up, with an AMI that has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from local_aws.cloudformation.property_changes import value_at
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.providers.pcs.changes.resource_kinds import CLUSTER, COMPUTE_NODE_GROUP


class SlurmVersionNotRaised(Guard):
    """The Slurm version goes up by three major versions at most, and never down (`slurm.version`).

    PCS rejects any other update of the version, in the middle of the deploy, which then rolls back.
    """

    id = "E9063"
    key = ("slurm", "version")
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/working-with_clusters_version_update.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in sorted(comparison.updated):
            if comparison.type_of(address) != CLUSTER:
                continue
            old, new = (
                value_at(stacks.properties(address), ("Scheduler", "Version"))
                for stacks in (comparison.before, comparison.after)
            )
            known = [row.name for row in comparison.catalog.slurm_versions]
            most = comparison.catalog.limits["pcs_versions_per_update"].require_maximum()
            for message, hint in rejected_update(old, new, known, most):
                yield Violation(address, message, hint)


class SlurmVersionWithTheSameAmi(Guard):
    """Another Slurm version comes with another AMI (`slurm.ami_id`).

    The nodes of the new version start from the AMI of the old one. If that does not have the new version too, no
    replaced node joins the cluster: PCS ends it half an hour after its launch, and starts another one.
    """

    id = "W9097"
    key = ("slurm", "ami_id")
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/working-with_clusters_version_update.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        states = (comparison.before, comparison.after)
        versions = [
            [value_at(stacks.properties(address), ("Scheduler", "Version")) for stacks in states]
            for address in sorted(comparison.updated)
            if comparison.type_of(address) == CLUSTER
        ]
        for old, new in versions:
            if old == new:
                continue
            for address in sorted(comparison.before.addresses() & comparison.after.addresses()):
                amis = [value_at(stacks.properties(address), ("AmiId",)) for stacks in states]
                if comparison.type_of(address) == COMPUTE_NODE_GROUP and amis[0] == amis[1]:
                    yield Violation(
                        address,
                        f"the Slurm version changes from {old} to {new}, and {amis[0]} stays the AMI of the nodes",
                        f"write an ami_id with Slurm {new}, or no ami_id and run `neuron-cluster image build`; "
                        f"ignore it if {amis[0]} has Slurm {new} too",
                    )
                    return


def rejected_update(old: str, new: str, known: Sequence[str], most: int) -> Iterator[tuple[str, str]]:
    """Message and hint where PCS rejects the update; nothing about a version that is not ``known``, oldest first."""
    if old not in known or new not in known:
        return
    steps = known.index(new) - known.index(old)
    refused = f"the Slurm version is {old} and cannot change to {new}"
    if steps < 0:
        yield f"{refused}: PCS never downgrades", f"write {old} or newer"
    elif steps > most:
        nearest = known[known.index(old) + most]
        yield f"{refused}: an update raises it by {most} major versions", f"deploy {nearest} first"
