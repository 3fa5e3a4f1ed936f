from __future__ import annotations

from local_aws.cloudformation.references import written_references
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations


class CircularKeyPolicy(TemplateRule):
    """A KMS key policy references no resource that references the key (`KeyPolicy`).

    CloudFormation can create neither first: "Circular dependency between resources".
    """

    id = "E8502"
    operation = "cloudformation:CreateStack"
    error_code = "ValidationError"
    source = "https://repost.aws/knowledge-center/cloudformation-circular-dependency-errors"
    types = ("AWS::KMS::Key",)

    def check(self, context: TemplateContext) -> Violations:
        resource = context.resource
        policy = resource.body["Properties"].get("KeyPolicy")
        users = {user.logical_id: user for user in context.look_up.resources(stack=resource.stack)}
        for found in written_references(policy, "KeyPolicy", strict=False):
            user = users.get(found.name)
            if user is not None and user is not resource and context.look_up.depends_on(user, resource.logical_id):
                yield Violation(
                    found.path.partition(".Fn::")[0],
                    f"references {found.name}, which references this key: CloudFormation can create neither first",
                    'write text instead of a reference: "*" as Resource; elsewhere the ARN of an account or a pattern',
                )
