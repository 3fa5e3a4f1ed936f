from __future__ import annotations

import re
from typing import Any

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, items, text

READERS = ("AmazonEKSAdminPolicy", "AmazonEKSAdminViewPolicy", "AmazonEKSEditPolicy")


class AccessPolicyReadsAllSecrets(TemplateRule):
    """EKS access policies that allow reading Secrets are limited to namespaces (`AccessScope`).

    Only AmazonEKSClusterAdminPolicy, for cluster administrators, may apply to the whole cluster.
    """

    id = "E8244"
    operation = "eks:AssociateAccessPolicy"
    error_code = None
    source = "https://docs.aws.amazon.com/eks/latest/userguide/access-policy-permissions.html"
    types = ("AWS::EKS::AccessEntry",)

    def check(self, context: TemplateContext) -> Violations:
        for place, policy in enumerate(items(at(context.resource.properties, "AccessPolicies"))):
            written = at(context.resource.body, "Properties", "AccessPolicies", place, "PolicyArn")
            name = _policy_name(at(policy, "PolicyArn"), written)
            if name in READERS and at(policy, "AccessScope", "Type") == "cluster":
                yield Violation(
                    f"AccessPolicies[{place}].AccessScope.Type",
                    f"is cluster, with which {name} allows reading the Secrets of every namespace",
                    "write Type: namespace and Namespaces, or PolicyArn of AmazonEKSViewPolicy, which excludes Secrets",
                )


def _policy_name(arn: Any, written: Any) -> str:
    """``AmazonEKSViewPolicy``; from the intrinsic function's text where the ARN's partition is a pseudo parameter."""
    joined = items(at(written, "Fn::Join", 1))
    ending = text(arn) or text(at(written, "Fn::Sub")) or (text(joined[-1]) if joined else None) or ""
    found = re.search(r"/(\w+)$", ending)
    return found[1] if found else ""
