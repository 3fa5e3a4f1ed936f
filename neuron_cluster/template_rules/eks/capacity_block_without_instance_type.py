"""Capacity Block node groups whose launch template sets no instance type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class CapacityBlockWithoutInstanceType(ResourceRule):
    """The launch template of a capacity block node group sets the instance type (`InstanceType`)."""

    id = "E8210"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidParameterException"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    types = ("AWS::EKS::Nodegroup",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        template = launch_template_of(resource, look_up)
        if template is None or resource.properties.get("CapacityType") != "CAPACITY_BLOCK":
            return
        if at(template.properties, "LaunchTemplateData", "InstanceType") is None:
            yield Violation(
                "LaunchTemplate",
                "sets no instance type, but CapacityType is CAPACITY_BLOCK",
                "set LaunchTemplateData.InstanceType to the instance type of the capacity block",
            )
