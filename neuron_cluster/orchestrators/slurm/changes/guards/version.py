"""The Slurm version goes up."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.property_changes import value_at
from local_aws.cloudformation.values import Address
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.orchestrators.slurm.changes.resource_kinds import CLUSTER


class SlurmVersionNotRaised(Guard):
    """The Slurm version goes up by three major versions at most, and never down (`slurm.version`).

    PCS rejects any other update of the version, in the middle of the deploy, which then rolls back.
    """

    id = "E9063"
    key = ("slurm", "version")
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/working-with_clusters_version_update.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in sorted(comparison.updated):
            if comparison.type_of(address) == CLUSTER:
                yield from _not_raised(comparison, address)


def _not_raised(comparison: Comparison, address: Address) -> Iterator[Violation]:
    versions = [row.name for row in load_catalog().slurm_versions]
    old, new = (
        value_at(stacks.properties(address), ("Scheduler", "Version"))
        for stacks in (comparison.before, comparison.after)
    )
    if old == new or old not in versions or new not in versions:
        return
    steps = versions.index(new) - versions.index(old)
    most = load_catalog().limit("pcs_versions_per_update").require_maximum()
    if steps < 0:
        yield Violation(
            address,
            f"the Slurm version is {old} and cannot change to {new}: PCS never downgrades",
            f"write {old} or newer",
        )
    elif steps > most:
        nearest = versions[versions.index(old) + most]
        yield Violation(
            address,
            f"the Slurm version is {old} and cannot change to {new}: an update raises it by {most} major versions",
            f"deploy {nearest} first",
        )
