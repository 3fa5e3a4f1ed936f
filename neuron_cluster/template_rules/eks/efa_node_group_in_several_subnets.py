from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import items


class EfaNodeGroupInSeveralSubnets(TemplateRule):
    """A node group with EFA interfaces is in one subnet (`Subnets`).

    EFA traffic does not leave its subnet. EKS accepts several subnets; a job with nodes in two of them then hangs.
    """

    id = "E8206"
    operation = "eks:CreateNodegroup"
    error_code = None
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html (limitations)"
    references = ("aws-samples/amazon-eks-machine-learning-with-terraform-and-kubeflow#77",)
    types = ("AWS::EKS::Nodegroup",)

    def check(self, context: TemplateContext) -> Violations:
        template = launch_template_of(context.resource, context.look_up)
        subnets = items(context.resource.properties.get("Subnets"))
        if template is not None and len(subnets) > 1 and any(interface.is_efa for interface in interfaces_of(template)):
            yield Violation(
                "Subnets",
                f"lists {len(subnets)} subnets, but the launch template has EFA interfaces, which require one",
                "list one subnet, in an Availability Zone that offers the instance type",
            )
