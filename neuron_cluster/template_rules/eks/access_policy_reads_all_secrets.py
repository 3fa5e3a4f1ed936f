"""EKS access policies that allow reading the Secrets of every namespace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, items, text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

READERS = ("AmazonEKSAdminPolicy", "AmazonEKSAdminViewPolicy", "AmazonEKSEditPolicy")


class AccessPolicyReadsAllSecrets(ResourceRule):
    """EKS access policies that allow reading Secrets are limited to namespaces (`AccessScope`).

    Only AmazonEKSClusterAdminPolicy, for cluster administrators, may apply to the whole cluster.
    """

    id = "E8244"
    operation = "eks:AssociateAccessPolicy"
    error_code = None
    source = "https://docs.aws.amazon.com/eks/latest/userguide/access-policy-permissions.html"
    types = ("AWS::EKS::AccessEntry",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        for place, policy in enumerate(items(at(resource.properties, "AccessPolicies"))):
            written = at(resource.body, "Properties", "AccessPolicies", place, "PolicyArn")
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
