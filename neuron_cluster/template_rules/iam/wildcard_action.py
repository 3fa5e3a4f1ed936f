"""IAM policies that allow every action of a service."""

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


class WildcardAction(ResourceRule):
    """IAM policies of roles do not allow `*` or every action of a service (`Action`)."""

    id = "E8601"
    operation = "iam:PutRolePolicy"
    error_code = None
    source = "https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html (least privilege)"
    types = (
        "AWS::IAM::Policy",
        "AWS::IAM::ManagedPolicy",
        "AWS::IAM::Role",
    )

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        for path, statement in identity_statements(resource):
            for action in map(text, one_or_more(at(statement, "Action"))):
                if action is not None and (action == "*" or action.endswith(":*")):
                    hint = "list the actions that the role needs in Action, such as s3:GetObject"
                    yield Violation(
                        f"{path}.Action",
                        f"{action} allows every action{'' if action == '*' else ' of the service'}",
                        hint,
                    )
