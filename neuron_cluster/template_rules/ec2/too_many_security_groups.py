"""Network interfaces that exceed the security group quota."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, items
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class TooManySecurityGroups(ResourceRule):
    """A network interface does not exceed the default quota of security groups (`Groups`)."""

    id = "E8113"
    operation = "ec2:RunInstances"
    error_code = "SecurityGroupsPerInterfaceLimitExceeded"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/amazon-vpc-limits.html"
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up
        maximum = catalog.limit("security_groups_per_interface").require_maximum()
        for interface in interfaces_of(resource):
            groups = items(at(interface.properties, "Groups"))
            if len(groups) > maximum:
                yield Violation(
                    f"{interface.path}.Groups",
                    f"lists {len(groups)} security groups; the default quota of a network interface is {maximum}",
                    f"merge the rules of several groups into one group, and list {maximum} groups at most",
                    "The maximum number of security groups per interface has been reached.",
                )
