from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.iam.statement import identity_statements
from neuron_cluster.template_rules.property_tree import at, one_or_more, text

ONLY_EVERYTHING = ("cloudwatch:PutMetricData",)
"""Recorded with a resource type that custom metrics do not have; a condition limits it to a namespace."""


class WildcardResource(TemplateRule):
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

    def check(self, context: TemplateContext) -> Violations:
        for path, statement in identity_statements(context.resource):
            actions = filter(None, map(text, one_or_more(at(statement, "Action"))))
            nameable = [action for action in actions if _takes_resources(action, context.catalog)]
            if "*" in one_or_more(at(statement, "Resource")) and nameable:
                message = f"* allows {', '.join(nameable)} on every resource"
                yield Violation(f"{path}.Resource", message, "write the ARNs of the resources that the role needs")


def _takes_resources(action: str, catalog: Catalog) -> bool:
    """True also for a service that is not recorded, and for a pattern."""
    prefix, _, name = action.partition(":")
    service = catalog.iam_services.get(prefix.lower())
    return action not in ONLY_EVERYTHING and (service is None or service.takes_resources(name))
