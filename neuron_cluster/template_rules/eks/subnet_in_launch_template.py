"""Subnets in the launch template of a node group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_given
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class SubnetInLaunchTemplate(ResourceRule):
    """Subnets are set in the node group (`Subnets`), not in its launch template (`SubnetId`)."""

    id = "E8207"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidRequestException"
    source = "boto/botocore 1.44.5: eks LaunchTemplateSpecification"
    references = ("aws-samples/aws-efa-eks#19",)
    types = ("AWS::EKS::Nodegroup",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        template = launch_template_of(resource, look_up)
        if template is None:
            return
        for interface in interfaces_of(template):
            if is_given(at(interface.properties, "SubnetId")):
                yield Violation(
                    "LaunchTemplate",
                    f"{template.logical_id}.{interface.path}.SubnetId is set; EKS rejects this in a launch template",
                    "remove SubnetId from the interface: the node group has Subnets",
                )
