from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.address_range import HALF, prefix_bits
from neuron_cluster.template_rules.property_tree import at, items


class SecurityGroupOpenToInternet(TemplateRule):
    """Security groups allow no inbound traffic from all or half of all addresses (`CidrIp`, `CidrIpv6`).

    Instances are in private subnets; users connect through AWS Systems Manager or the VPC.
    """

    id = "E8124"
    operation = "ec2:AuthorizeSecurityGroupIngress"
    error_code = None
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html"
    types = (
        "AWS::EC2::SecurityGroup",
        "AWS::EC2::SecurityGroupIngress",
    )

    def check(self, context: TemplateContext) -> Violations:
        if context.resource.type_name == "AWS::EC2::SecurityGroupIngress":
            rules = [("", context.resource.properties)]
        else:
            listed = items(at(context.resource.properties, "SecurityGroupIngress"))
            rules = [(f"SecurityGroupIngress[{position}].", rule) for position, rule in enumerate(listed)]
        for path, rule in rules:
            for name in ("CidrIp", "CidrIpv6"):
                bits = prefix_bits(at(rule, name))
                if bits is not None and bits <= HALF:
                    yield Violation(
                        f"{path}{name}",
                        f"{at(rule, name)} allows traffic from {'half of all addresses' if bits else 'every address'}",
                        f"write the address range of the clients, or remove {name} and write SourceSecurityGroupId",
                    )
