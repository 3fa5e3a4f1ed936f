"""Workstations that cannot reach their home."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_workstation import asked_workstations
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class HomeInAnotherZone(ConfigRule):
    """A workstation runs in the zone of its home.

    Without it: EC2 refuses every attempt of the machine to attach the volume with InvalidVolume.ZoneMismatch, "The
    volume is not in the same availability zone as instance", and its home directory stays the one of the image.
    """

    id = "E7005"
    source = "https://docs.aws.amazon.com/ebs/latest/userguide/ebs-attaching-volume.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        for asked in asked_workstations(config, catalog):
            if asked.home is None or asked.zone_id == asked.home.availability_zone:
                continue
            there = asked.home.availability_zone
            if there not in catalog.zone_ids(config.region):  # rule E1001
                continue
            yield Violation(
                (*asked.path, "availability_zone"),
                f"{asked.workstation.name} is to run in {asked.zone_id}, but its home lies in {there}",
                f"set availability_zone: {there}, or remove the line",
            )
