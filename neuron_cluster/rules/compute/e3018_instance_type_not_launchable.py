from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class InstanceTypeNotLaunchable(Rule):
    """Every instance type is launchable: its Neuron devices and EFA interfaces are known (`instance_type`).

    An UltraServer is a unit of several instances, and some names appear only in AWS software. A launch template cannot
    use either. A type that is announced with its numbers can be planned (rule W3033).

    Without this check EC2 rejects every launch with Unsupported or InvalidParameterValue, and the group becomes
    CREATE_FAILED.
    """

    id = "E3018"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceTypeOfferings.html"

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        for group in context.environment.compute_groups:
            row = group.instance_type
            if row is not None and not row.can_be_planned and group.is_sold_by_ec2:
                others = [each.name for each in catalog.instance_types if each.chip == row.chip and each.can_be_planned]
                yield Violation(
                    (*group.path, "instance_type"),
                    f"instance_type is {row.name}, whose data in the catalog is too incomplete to plan; no Region "
                    "offered it "
                    f"on {row.zone_ids_as_of}",
                    f"use {listed(others, 'or')}; `neuron-cluster catalog instances` lists all types",
                )
