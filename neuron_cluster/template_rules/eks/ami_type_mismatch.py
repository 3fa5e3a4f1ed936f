"""AMI types without the driver of the instance type's devices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, items, text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.instance_type import InstanceType


class AmiTypeMismatch(ResourceRule):
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

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        template = launch_template_of(resource, look_up)
        in_template = [at(template.properties, "LaunchTemplateData", "InstanceType")] if template is not None else []
        ami_type = catalog.ami_type(text(resource.properties.get("AmiType")) or "")
        for name in map(text, [*in_template, *items(resource.properties.get("InstanceTypes"))]):
            instance_type = catalog.instance_type(name) if name is not None else None
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
