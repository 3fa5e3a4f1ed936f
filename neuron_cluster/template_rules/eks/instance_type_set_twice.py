from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import at, is_given, items


class InstanceTypeSetTwice(TemplateRule):
    """Either a node group or its launch template sets the instance type, not both (`InstanceTypes`).

    EKS returns "Cannot specify instance types in launch template and API request".
    """

    id = "E8201"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidRequestException"
    source = "boto/botocore 1.44.5: eks CreateNodegroupRequest instanceTypes"
    types = ("AWS::EKS::Nodegroup",)

    def check(self, context: TemplateContext) -> Violations:
        template = launch_template_of(context.resource, context.look_up)
        in_template = at(template.properties, "LaunchTemplateData", "InstanceType") if template is not None else None
        if items(context.resource.properties.get("InstanceTypes")) and is_given(in_template):
            yield Violation(
                "InstanceTypes",
                "is set, and the launch template sets an instance type as well",
                "remove InstanceTypes: the launch template has the instance type",
            )
