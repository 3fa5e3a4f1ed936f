"""IAM policies that allow an action on every resource."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.iam.statement import identity_statements
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, one_or_more, text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

ONLY_EVERYTHING = ("cloudwatch:PutMetricData",)
"""Recorded with a resource type that custom metrics do not have; a condition limits it to a namespace."""


class WildcardResource(ResourceRule):
    """IAM policies of roles list resource ARNs for actions that support them (`Resource`)."""

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

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up
        for path, statement in identity_statements(resource):
            actions = filter(None, map(text, one_or_more(at(statement, "Action"))))
            nameable = [action for action in actions if _takes_resources(action, catalog)]
            if "*" in one_or_more(at(statement, "Resource")) and nameable:
                message = f"* allows {', '.join(nameable)} on every resource"
                yield Violation(f"{path}.Resource", message, "write the ARNs of the resources that the role needs")


def _takes_resources(action: str, catalog: Catalog) -> bool:
    """True also for a service that is not recorded, and for a pattern."""
    prefix, _, name = action.partition(":")
    service = catalog.iam_service(prefix.lower())
    return action not in ONLY_EVERYTHING and (service is None or service.takes_resources(name))
