"""Versions of launch templates that are written as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.pcs.compute_node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import at, text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class LaunchTemplateVersionLiteral(ResourceRule):
    """The version of a launch template follows its changes (`CustomLaunchTemplate`).

    Without this check AWS reports no error. PCS keeps the version: nodes never get a change of the launch template,
    such as the next capacity reservation.
    """

    id = "E8961"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = None
    source = "awslabs/awsome-distributed-ai@95b939c: architectures/aws-pcs"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        version = text(at(resource.properties, "CustomLaunchTemplate", "Version"))
        if version is not None and launch_template_of(resource, look_up) is not None:
            yield Violation(
                "CustomLaunchTemplate.Version",
                f"is {version}, which stays when the launch template changes",
                "write Fn::GetAtt of the launch template's LatestVersionNumber",
            )
