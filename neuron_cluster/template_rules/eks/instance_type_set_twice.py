"""Instance types set both in the node group and in its launch template."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_given, items
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class InstanceTypeSetTwice(ResourceRule):
    """Either a node group or its launch template sets the instance type, not both (`InstanceTypes`).

    EKS returns "Cannot specify instance types in launch template and API request".
    """

    id = "E8201"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidRequestException"
    source = "boto/botocore 1.44.5: eks CreateNodegroupRequest instanceTypes"
    types = ("AWS::EKS::Nodegroup",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        template = launch_template_of(resource, look_up)
        in_template = at(template.properties, "LaunchTemplateData", "InstanceType") if template is not None else None
        if items(resource.properties.get("InstanceTypes")) and is_given(in_template):
            yield Violation(
                "InstanceTypes",
                "is set, and the launch template sets an instance type as well",
                "remove InstanceTypes: the launch template has the instance type",
            )
