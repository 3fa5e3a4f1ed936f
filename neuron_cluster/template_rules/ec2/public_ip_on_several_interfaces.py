from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.property_tree import at, is_true


class PublicIpOnSeveralInterfaces(TemplateRule):
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

    def check(self, context: TemplateContext) -> Violations:
        interfaces = interfaces_of(context.resource)
        for interface in interfaces:
            if len(interfaces) > 1 and is_true(at(interface.properties, "AssociatePublicIpAddress")):
                yield Violation(
                    f"{interface.path}.AssociatePublicIpAddress",
                    f"is true with {len(interfaces)} network interfaces; EC2 assigns a public IP address only with 1",
                    "remove AssociatePublicIpAddress: a NAT gateway or VPC endpoints connect nodes in private subnets",
                    "The associatePublicIPAddress parameter cannot be specified when launching with multiple network "
                    "interfaces.",
                )
