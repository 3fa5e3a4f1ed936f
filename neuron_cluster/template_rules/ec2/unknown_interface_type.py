from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import EFA, EFA_ONLY, INTERFACE_TYPES, PLAIN, interfaces_of


class UnknownInterfaceType(TemplateRule):
    """Network interfaces have a valid type (`InterfaceType`).

    CloudFormation's resource schema accepts any string; EC2 reports a typo only at the first launch.
    """

    id = "E8102"
    operation = "ec2:CreateLaunchTemplate"
    error_code = "InvalidParameterValue"
    source = "boto/botocore 1.44.5: ec2 LaunchTemplateInstanceNetworkInterfaceSpecificationRequest InterfaceType"
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        for interface in interfaces_of(context.resource):
            if interface.kind is not None and interface.kind not in INTERFACE_TYPES:
                yield Violation(
                    f"{interface.path}.InterfaceType",
                    f"{interface.kind} is not a valid interface type; valid types are {', '.join(INTERFACE_TYPES)}",
                    f"write {PLAIN}, {EFA} or {EFA_ONLY}",
                )
