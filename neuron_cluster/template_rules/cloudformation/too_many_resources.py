from __future__ import annotations

from neuron_cluster.template_rules.base import Needs, TemplateContext, TemplateRule, Violation, Violations

FEWER_RESOURCES = (
    "remove resources from the stack: define fewer node groups in the environment file, or divide them between two "
    "environments"
)


class TooManyResources(TemplateRule):
    """A stack does not exceed CloudFormation's resources quota (`Resources`)."""

    id = "E8701"
    needs = Needs.TEMPLATE
    operation = "cloudformation:CreateChangeSet"
    error_code = "ValidationError"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html"
    references = (
        "aws/aws-cdk#14692",
        "aws/aws-cdk#28186",
        "aws-samples/sample-autonomous-cloud-coding-agents#852",
    )

    def check(self, context: TemplateContext) -> Violations:
        maximum = context.catalog.limits["cloudformation_resources_per_stack"].require_maximum()
        number = len(context.template.get("Resources", {}))
        if number > maximum:
            yield Violation(
                "Resources",
                f"the stack has {number} resources; CloudFormation allows {maximum}",
                FEWER_RESOURCES,
                f"Template format error: Number of resources, {number}, is greater than maximum allowed, {maximum}",
            )
