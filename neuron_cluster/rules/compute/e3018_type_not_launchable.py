"""Names that are no instance type, or of which nothing is known but the name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class TypeNotLaunchable(ConfigRule):
    """Everything that asks for machines names an instance type whose chips and EFA interfaces are known.

    An UltraServer is a unit of several instances; some names stand in AWS's software and nowhere else. Of neither can
    a launch template be written. A type that is announced with its numbers can be planned (rule W3033).

    Without this check EC2 rejects every launch with Unsupported or InvalidParameterValue, and EKS reports a node group
    as CREATE_FAILED.
    """

    id = "E3018"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceTypeOfferings.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        for group in environment.compute_groups:
            row = group.instance_type
            if row is not None and not row.can_be_planned:
                others = [each.name for each in catalog.instance_types if each.chip == row.chip and each.can_be_planned]
                yield Violation(
                    (*group.path, "instance_type"),
                    f"instance_type is {row.name}, of which too little is known to plan with it; no Region offered it "
                    f"on {row.zone_ids_as_of}",
                    f"take {listed(others, 'or')}; `neuron-cluster catalog instances` lists all types",
                )
