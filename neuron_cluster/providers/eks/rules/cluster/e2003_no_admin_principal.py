from __future__ import annotations

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class NoAdminPrincipal(Rule):
    """At least one IAM role or user has cluster-admin access (`eks.access.admins`).

    The role that deploys gets no permissions in the cluster, so that the file defines all access.

    Without this check AWS reports no error. The cluster works, but the API server rejects all users with "error: You
    must be logged in to the server (Unauthorized)" until an access entry is created with the EKS API.
    """

    id = "E2003"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        eks = config.section(Eks)
        if eks is not None and not eks.access.admins:
            yield Violation(
                ("eks", "access", "admins"),
                "admins is empty, so no IAM principal has access to the cluster",
                f"add the IAM role of your platform team, arn:aws:iam::{config.account}:role/<name>",
            )
