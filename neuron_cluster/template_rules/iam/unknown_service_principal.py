from __future__ import annotations

import re

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, one_or_more, text

REGIONAL = re.compile(r"^(?P<service>[a-z0-9.-]+?)(\.[a-z]{2}(-[a-z]+)+-\d)?\.amazonaws\.com(\.cn)?$")
"""Some services have a principal in each Region, and China a DNS suffix of its own."""


class UnknownServicePrincipal(TemplateRule):
    """The service principals in a role's trust policy exist (`Principal.Service`).

    IAM returns "Invalid principal in policy" for an unknown service principal.
    """

    id = "E8603"
    operation = "iam:CreateRole"
    error_code = "MalformedPolicyDocument"
    source = (
        "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html; "
        "principals: catalog/data/service_principals_recorded.yaml, service_principals_documented.yaml"
    )
    types = ("AWS::IAM::Role",)

    def check(self, context: TemplateContext) -> Violations:
        document = context.resource.properties.get("AssumeRolePolicyDocument")
        for position, statement in enumerate(one_or_more(at(document, "Statement"))):
            for service in map(text, one_or_more(at(statement, "Principal", "Service"))):
                if service is None or _without_region(service) in context.catalog.service_principals.principals:
                    continue
                yield Violation(
                    f"AssumeRolePolicyDocument.Statement[{position}].Principal.Service",
                    f"{service} is not a known service principal",
                    did_you_mean(context.catalog.service_principals.similar(service)).rstrip()
                    or "write the principal of an AWS service",
                    f'Invalid principal in policy: "SERVICE":"{service}"',
                )


def _without_region(principal: str) -> str:
    found = REGIONAL.match(principal)
    return f"{found['service']}.amazonaws.com" if found else principal
