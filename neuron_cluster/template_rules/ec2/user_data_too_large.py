from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, text


class UserDataTooLarge(TemplateRule):
    """User data does not exceed EC2's limit, counted before base64 encoding (`UserData`)."""

    id = "E8114"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterValue"
    source = "boto/botocore 1.44.5: ec2 RequestLaunchTemplateData UserData (16 KB in raw form)"
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        maximum = context.catalog.limits["launch_template_user_data"].require_maximum()
        user_data = text(at(context.resource.properties, "LaunchTemplateData", "UserData"))
        size = _decoded_size(user_data) if user_data is not None else 0
        if size > maximum:
            yield Violation(
                "LaunchTemplateData.UserData",
                f"has {size} bytes before base64 encoding; EC2 allows {maximum}",
                "shorten UserData: install software in the AMI, or download it at boot",
                f"User data is limited to {maximum} bytes",
            )


def _decoded_size(base64_text: str) -> int:
    """Bytes that base64 text encodes: three for every four characters."""
    return len(base64_text.rstrip("=")) * 3 // 4
