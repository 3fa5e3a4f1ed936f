"""Public IP addresses for instances with several network interfaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_true
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class PublicIpOnSeveralInterfaces(ResourceRule):
    """EC2 assigns a public IP address only with a single network interface (`AssociatePublicIpAddress`)."""

    id = "E8108"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterCombination"
    source = (
        "boto/botocore 1.44.5: ec2 InstanceNetworkInterfaceSpecification AssociatePublicIpAddress (a "
        "single network interface for device index 0)"
    )
    references = ("aws/karpenter-provider-aws#4267", "aws/karpenter-provider-aws#5437")
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        interfaces = interfaces_of(resource)
        for interface in interfaces:
            if len(interfaces) > 1 and is_true(at(interface.properties, "AssociatePublicIpAddress")):
                yield Violation(
                    f"{interface.path}.AssociatePublicIpAddress",
                    f"is true with {len(interfaces)} network interfaces; EC2 assigns a public IP address only with 1",
                    "remove AssociatePublicIpAddress: a NAT gateway or VPC endpoints connect nodes in private subnets",
                    "The associatePublicIPAddress parameter cannot be specified when launching with multiple network "
                    "interfaces.",
                )
