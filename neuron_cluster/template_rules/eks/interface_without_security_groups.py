from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import at


class InterfaceWithoutSecurityGroups(TemplateRule):
    """The network interfaces in a node group's launch template list security groups (`Groups`).

    EKS adds the cluster security group only where the template lists no interfaces. Without security groups the
    instance gets the VPC's default security group and does not join the cluster.
    """

    id = "E8208"
    operation = "eks:CreateNodegroup"
    error_code = None
    source = "https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html (using custom security groups)"
    types = ("AWS::EKS::Nodegroup",)

    def check(self, context: TemplateContext) -> Violations:
        template = launch_template_of(context.resource, context.look_up)
        if template is None:
            return
        for interface in interfaces_of(template):
            if at(interface.properties, "Groups") in (None, []):
                yield Violation(
                    "LaunchTemplate",
                    f"{template.logical_id}.{interface.path} lists no security groups",
                    "list the cluster security group and those of the node group in Groups of the interface",
                )
