from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.property_tree import at, items


class TooManySecurityGroups(TemplateRule):
    """A network interface does not exceed the default quota of security groups (`Groups`)."""

    id = "E8113"
    operation = "ec2:RunInstances"
    error_code = "SecurityGroupsPerInterfaceLimitExceeded"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/amazon-vpc-limits.html"
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        maximum = context.catalog.limits["security_groups_per_interface"].require_maximum()
        for interface in interfaces_of(context.resource):
            groups = items(at(interface.properties, "Groups"))
            if len(groups) > maximum:
                yield Violation(
                    f"{interface.path}.Groups",
                    f"lists {len(groups)} security groups; the default quota of a network interface is {maximum}",
                    f"merge the rules of several groups into one group, and list {maximum} groups at most",
                    "The maximum number of security groups per interface has been reached.",
                )
