"""Rights to every resource."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_law.base import Refusal, ResourceLaw
from neuron_cluster.template_law.iam.statement import identity_statements
from neuron_cluster.template_law.look_up import LookUp
from neuron_cluster.template_law.property_tree import at, one_or_more, text
from neuron_cluster.template_law.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

WITHOUT_RESOURCES = ("ec2:DescribeInstances", "ec2:DescribeNetworkInterfaces", "ecr:GetAuthorizationToken")
"""Actions for which IAM knows no resource type: only ``*`` is accepted."""


class EveryResource(ResourceLaw):
    """A role's rights name resources, wherever IAM lets them be named."""

    id = "E8602"
    operation = "iam:PutRolePolicy"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-"
        "resources-contextkeys.html"
    )
    types = (
        "AWS::IAM::Policy",
        "AWS::IAM::ManagedPolicy",
        "AWS::IAM::Role",
    )

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Refusal]:
        del look_up, catalog
        for path, statement in identity_statements(resource):
            actions = filter(None, map(text, one_or_more(at(statement, "Action"))))
            nameable = [action for action in actions if action not in WITHOUT_RESOURCES]
            if "*" in one_or_more(at(statement, "Resource")) and nameable:
                yield Refusal(
                    f"{path}.Resource", f"* allows {', '.join(nameable)} on every resource", "name the resources"
                )
