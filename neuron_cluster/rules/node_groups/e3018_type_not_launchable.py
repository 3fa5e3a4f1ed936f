"""Types that have a name and no machines yet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_machine import asked_machines
from neuron_cluster.rules.base import ConfigRule, Problem

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class TypeNotLaunchable(ConfigRule):
    """Nothing asks for an instance type that is announced only.

    Without it: EC2 refuses every launch with Unsupported or InvalidInstanceType, and EKS reports a node group as
    CREATE_FAILED.
    """

    id = "E3018"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceTypeOfferings.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        for asked in asked_machines(config, catalog):
            row = asked.instance_type
            if row is not None and not row.launchable:
                yield Problem(
                    (*asked.path, "instance_type"),
                    f"instance_type is {row.name}, which no Region offered on {row.checked_on}",
                    "take a type that `neuron-cluster catalog instances` shows with zones",
                )
