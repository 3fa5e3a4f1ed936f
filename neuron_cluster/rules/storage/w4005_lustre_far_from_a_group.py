"""A file system that some Neuron nodes are far from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_node_group import are_zones_clear, asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.wording import listed

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class LustreFarFromAGroup(ConfigRule):
    """Every Neuron node group can run in the zone of the Lustre file system.

    Only a warning, as long as one group is near: the others may not use it.

    Without it: AWS answers nothing. What the far groups read and write crosses zones: slower, and billed by the
    gigabyte in both directions.
    """

    id = "W4005"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance-tips.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        lustre = config.storage.lustre if config.storage is not None else None
        groups = [asked for asked in asked_node_groups(config, catalog) if asked.is_neuron]
        if lustre is None or not any(lustre.availability_zone in asked.zone_ids for asked in groups):
            return  # rule E4004
        for asked in groups:
            if lustre.availability_zone not in asked.zone_ids and are_zones_clear(asked, config, catalog):
                yield Violation(
                    (*asked.path, "availability_zone"),
                    f"{asked.group.name} runs in {listed(asked.zone_ids)}, Lustre in {lustre.availability_zone}",
                    f"move {asked.group.name} if its type is offered there, or keep its data in S3",
                )
