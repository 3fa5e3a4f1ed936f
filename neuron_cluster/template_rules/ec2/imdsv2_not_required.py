from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_unknown


class Imdsv2NotRequired(TemplateRule):
    """Launch templates require IMDSv2 session tokens for instance metadata (`HttpTokens`).

    With IMDSv1, a server-side request forgery in a pod can read the node's credentials.
    """

    id = "E8109"
    operation = "ec2:CreateLaunchTemplate"
    error_code = None
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html"
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        tokens = at(context.resource.properties, "LaunchTemplateData", "MetadataOptions", "HttpTokens")
        if tokens != "required" and not is_unknown(tokens):
            yield Violation(
                "LaunchTemplateData.MetadataOptions.HttpTokens",
                f"is {tokens or 'not set'}; it must be required",
                "set HttpTokens: required",
            )
