from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import is_given, is_true, is_unknown


class PodIdentityPolicyWithSessionTags(TemplateRule):
    """A Pod Identity association with ``Policy`` has no session tags (`AWS::EKS::PodIdentityAssociation`).

    A policy of the association limits the role, and EKS requires `DisableSessionTags: true` beside it. A role whose
    policy compares tags then matches nothing. The error code of EKS is not documented.
    """

    id = "E8249"
    operation = "eks:CreatePodIdentityAssociation"
    error_code = None
    source = "boto/botocore 1.44.5: eks CreatePodIdentityAssociationRequest policy"
    types = ("AWS::EKS::PodIdentityAssociation",)

    def check(self, context: TemplateContext) -> Violations:
        disabled = context.resource.properties.get("DisableSessionTags")
        if is_given(context.resource.properties.get("Policy")) and not is_true(disabled) and not is_unknown(disabled):
            yield Violation(
                "DisableSessionTags",
                "is not true, and Policy is set; EKS requires DisableSessionTags: true beside Policy",
                "set DisableSessionTags: true, or remove Policy and use a role of its own for the service account",
            )
