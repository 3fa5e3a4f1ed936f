from __future__ import annotations

from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import at, items, text


class AmiTypeMismatch(TemplateRule):
    """The AMI type of a node group has the Neuron driver for Neuron instance types, and only for them (`AmiType`).

    EKS accepts the node group; its nodes then advertise no Neuron devices, or have a driver without a device.
    """

    id = "E8203"
    operation = "eks:CreateNodegroup"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/eks/latest/userguide/retrieve-ami-id.html; AMI types: catalog/data/ami_types.yaml"
    )
    references = ("terraform-aws-modules/terraform-aws-eks#2060", "awslabs/amazon-eks-ami#2579")
    types = ("AWS::EKS::Nodegroup",)

    def check(self, context: TemplateContext) -> Violations:
        template = launch_template_of(context.resource, context.look_up)
        in_template = [at(template.properties, "LaunchTemplateData", "InstanceType")] if template is not None else []
        ami_type = context.catalog.ami_types.get(text(context.resource.properties.get("AmiType")) or "")
        for name in map(text, [*in_template, *items(context.resource.properties.get("InstanceTypes"))]):
            instance_type = context.catalog.instance_types.get(name) if name is not None else None
            if ami_type is None or instance_type is None:
                continue
            fits = instance_type.chip in ami_type.chips if instance_type.chip is not None else not ami_type.chips
            is_doubtful = ami_type.name == instance_type.eks_ami_type and instance_type.doubt_about("eks_ami_type")
            if not fits and not is_doubtful:
                yield Violation(
                    "AmiType",
                    f"{ami_type.name} does not support {instance_type.name}",
                    _hint(instance_type),
                )


def _hint(instance_type: InstanceType) -> str:
    if instance_type.eks_ami_type is None:
        return f"write another InstanceType: the catalog contains no EKS AMI type for {instance_type.name}"
    return f"set AmiType: {instance_type.eks_ami_type}"
