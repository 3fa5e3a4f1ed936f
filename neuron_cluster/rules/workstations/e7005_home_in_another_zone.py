"""Workstation in another Availability Zone than its home volume."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class HomeInAnotherZone(ConfigRule):
    """A workstation runs in the Availability Zone of its home volume (`availability_zone`).

    Without this check EC2 rejects every attempt to attach the volume with InvalidVolume.ZoneMismatch, "The volume is
    not in the same availability zone as instance", and the home directory is that of the AMI.
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
                f"{workstation.name} runs in {workstation.zone_id}, but its home is in {there}",
                f"set availability_zone: {there}, or remove availability_zone",
            )
