from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of


class NoPrimaryNetworkInterface(TemplateRule):
    """The network interfaces of a launch template include the primary one: network card 0, device index 0.

    EC2 does not launch an instance without a primary network interface, which is always on network card 0.
    """

    id = "E8104"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterCombination"
    source = (
        "boto/botocore 1.44.5: ec2 InstanceNetworkInterfaceSpecification DeviceIndex (a primary network "
        "interface has index 0) and NetworkCardIndex"
    )
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        interfaces = interfaces_of(context.resource)
        places_known = all(interface.card is not None and interface.device is not None for interface in interfaces)
        if interfaces and places_known and not any(interface.is_primary for interface in interfaces):
            yield Violation(
                "LaunchTemplateData.NetworkInterfaces",
                "lists no primary network interface: NetworkCardIndex 0 with DeviceIndex 0",
                "write NetworkCardIndex: 0 and DeviceIndex: 0 for one of the interfaces",
                "When specifying network interfaces, you must include a device at index 0.",
            )
