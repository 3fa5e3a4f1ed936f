from __future__ import annotations

import msgspec

from neuron_cluster.template_rules.base import Needs, TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.cloudformation.too_many_resources import FEWER_RESOURCES


class TemplateTooLarge(TemplateRule):
    """The uploaded template does not exceed CloudFormation's template body quota."""

    id = "E8703"
    needs = Needs.TEMPLATE
    operation = "cloudformation:CreateChangeSet"
    error_code = "ValidationError"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html"

    def check(self, context: TemplateContext) -> Violations:
        maximum = context.catalog.limits["cloudformation_template_body"].require_maximum()
        size = len(msgspec.json.format(msgspec.json.encode(context.template), indent=1))  # as CDK writes it
        if size > maximum:
            yield Violation(
                "",
                f"the template has {size} bytes; CloudFormation allows {maximum}",
                FEWER_RESOURCES,
                f"Template may not exceed {maximum} bytes in size.",
            )
