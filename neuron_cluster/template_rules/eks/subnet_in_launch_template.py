from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import at, is_given


class SubnetInLaunchTemplate(TemplateRule):
    """Subnets are set in the node group (`Subnets`), not in its launch template (`SubnetId`)."""

    id = "E8207"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidRequestException"
    source = "boto/botocore 1.44.5: eks LaunchTemplateSpecification"
    references = ("aws-samples/aws-efa-eks#19",)
    types = ("AWS::EKS::Nodegroup",)

    def check(self, context: TemplateContext) -> Violations:
        template = launch_template_of(context.resource, context.look_up)
        if template is None:
            return
        for interface in interfaces_of(template):
            if is_given(at(interface.properties, "SubnetId")):
                yield Violation(
                    "LaunchTemplate",
                    f"{template.logical_id}.{interface.path}.SubnetId is set; EKS rejects this in a launch template",
                    "remove SubnetId from the interface: the node group has Subnets",
                )
