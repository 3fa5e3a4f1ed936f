from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of


class DuplicateDeviceIndex(TemplateRule):
    """Network interfaces on the same network card have different device indexes (`DeviceIndex`)."""

    id = "E8103"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterValue"
    source = "boto/botocore 1.44.5: ec2 InstanceNetworkInterfaceSpecification DeviceIndex, NetworkCardIndex"
    references = ("terraform-aws-modules/terraform-aws-eks#2654",)
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        taken: dict[tuple[int, int], str] = {}
        for interface in interfaces_of(context.resource):
            if interface.card is None or interface.device is None:
                continue
            first = taken.setdefault((interface.card, interface.device), interface.path)
            if first != interface.path:
                yield Violation(
                    interface.path,
                    f"has NetworkCardIndex {interface.card} and DeviceIndex {interface.device}, as {first} has",
                    "write another NetworkCardIndex, or another DeviceIndex on the same card",
                )
