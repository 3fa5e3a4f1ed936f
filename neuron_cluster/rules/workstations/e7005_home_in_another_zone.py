"""Workstations that cannot reach their home."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class HomeInAnotherZone(ConfigRule):
    """A workstation runs in the zone of its home.

    Without this check EC2 rejects every attempt of the machine to attach the volume with InvalidVolume.ZoneMismatch,
    "The volume is not in the same availability zone as instance", and its home directory stays the one of the image.
    """

    id = "E7005"
    source = "https://docs.aws.amazon.com/ebs/latest/userguide/ebs-attaching-volume.html"
    proposes = ("availability_zone",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        for workstation in environment.workstations:
            if workstation.home is None or workstation.zone_id == workstation.home.availability_zone:
                continue
            there = workstation.home.availability_zone
            if there not in catalog.zone_ids(config.region):  # rule E1001
                continue
            yield Violation(
                (*workstation.path, "availability_zone"),
                f"{workstation.name} is to run in {workstation.zone_id}, but its home lies in {there}",
                f"set availability_zone: {there}, or remove the line",
            )
