from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.iam.statement import identity_statements
from neuron_cluster.template_rules.property_tree import at, one_or_more, text


class WildcardAction(TemplateRule):
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

    def check(self, context: TemplateContext) -> Violations:
        for path, statement in identity_statements(context.resource):
            for action in map(text, one_or_more(at(statement, "Action"))):
                if action is not None and (action == "*" or action.endswith(":*")):
                    hint = "list the actions that the role needs in Action, such as s3:GetObject"
                    yield Violation(
                        f"{path}.Action",
                        f"{action} allows every action{'' if action == '*' else ' of the service'}",
                        hint,
                    )
