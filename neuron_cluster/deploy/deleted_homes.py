"""Homes of deployed stacks whose volume was deleted: `destroy --home` deletes one, and the stack still lists it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from neuron_cluster.aws import ec2
from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.session import Target
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.homes import Home, homes_in
from neuron_cluster.findings.finding import Finding, Location

ORPHANED = "E9002"
"""The finding about data that leaves the file: there is none of a volume that was deleted."""
BEING_DELETED = ("deleting", "deleted")
"""States in which EC2 still lists a volume for a while."""


def with_deleted_homes(target: Target, comparison: Comparison, found: Sequence[Finding]) -> list[Finding]:
    """The findings without E9002 of homes whose volume was deleted, and E9590 for those that the file still has.

    Queries EC2 only where a deployed stack has homes.
    """
    homes = homes_in(comparison.before)
    gone = [home for home, volume in home_volumes(target, homes).items() if volume is None]
    places = {(home.stack, home.logical_id) for home in gone}
    kept = [each for each in found if each.id != ORPHANED or (each.location.file, each.location.path) not in places]
    return [*kept, *_still_in_file(comparison, gone)]


def home_volumes(target: Target, homes: Collection[Home]) -> dict[Home, ec2.Volume | None]:
    """The volume of each of these homes that CloudFormation has created; None of one that was deleted."""
    ids = {
        (stack, each.logical_id): each.physical_id
        for stack in sorted({home.stack for home in homes})
        for each in resources(target, stack)
    }
    created = {home: found for home in homes if (found := ids.get((home.stack, home.logical_id)))}
    listed = ec2.volumes(target, sorted(created.values()))
    existing = {volume.id: volume for volume in listed if volume.state not in BEING_DELETED}
    return {home: existing.get(identity) for home, identity in created.items()}


def _still_in_file(comparison: Comparison, gone: Sequence[Home]) -> Iterator[Finding]:
    removed = {(address.stack, address.logical_id) for address in comparison.removed}
    for home in gone:
        if (home.stack, home.logical_id) in removed:
            continue
        yield Finding(
            "E9590",
            Location(home.stack, path=home.logical_id),
            f"the volume of the home {home.name} was deleted, and {home.stack} still lists it: CloudFormation creates "
            "no other one for it",
            f"take {home.name} out of storage.homes, and out of workstations[].home, and deploy. To get an empty home "
            "of this name, add it again after that deploy, and deploy",
        )
