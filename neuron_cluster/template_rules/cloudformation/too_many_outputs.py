from __future__ import annotations

from neuron_cluster.template_rules.base import Needs, TemplateContext, TemplateRule, Violation, Violations


class TooManyOutputs(TemplateRule):
    """A stack does not exceed CloudFormation's outputs quota (`Outputs`)."""

    id = "E8702"
    needs = Needs.TEMPLATE
    operation = "cloudformation:CreateChangeSet"
    error_code = "ValidationError"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html"

    def check(self, context: TemplateContext) -> Violations:
        maximum = context.catalog.limits["cloudformation_outputs_per_stack"].require_maximum()
        number = len(context.template.get("Outputs", {}))
        if number > maximum:
            message = f"Template format error: Number of outputs, {number}, is greater than maximum allowed, {maximum}"
            yield Violation(
                "Outputs",
                f"the stack has {number} outputs; CloudFormation allows {maximum}",
                "remove outputs that no other stack imports",
                message,
            )
