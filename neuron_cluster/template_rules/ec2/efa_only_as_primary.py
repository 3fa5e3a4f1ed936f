from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import EFA, EFA_ONLY, PLAIN, interfaces_of


class EfaOnlyAsPrimary(TemplateRule):
    """The primary network interface is not efa-only, because it requires an IP address (`InterfaceType`)."""

    id = "E8105"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterCombination"
    source = (
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html (an EFA-only interface cannot be "
        "the primary network interface)"
    )
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        for interface in interfaces_of(context.resource):
            if interface.is_primary and interface.kind == EFA_ONLY:
                yield Violation(
                    f"{interface.path}.InterfaceType",
                    "the primary network interface is efa-only; it requires an IP address",
                    f"write {EFA} or {PLAIN}",
                )
