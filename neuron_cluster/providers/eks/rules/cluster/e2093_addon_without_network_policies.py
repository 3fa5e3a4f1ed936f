from __future__ import annotations

import re

from neuron_cluster.catalog.version import version_key
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import LOCK_IT, Needs, Rule, RuleContext, Violation, Violations

ADDON_VERSION = re.compile(r"v?([0-9]+(?:\.[0-9]+){2})(?:-eksbuild\.[0-9]+)?")
"""Such as ``v1.22.4-eksbuild.3``."""


class AddonWithoutNetworkPolicies(Rule):
    """The vpc-cni of the lock enforces NetworkPolicies (`teams`, `eks.addons`).

    Three NetworkPolicies separate the namespaces of a team from all others, and charts have more. A version in another
    form than that of EKS is not checked.

    Without this check the API server accepts the NetworkPolicies without effect, and every pod can connect to every
    pod; or EKS rejects the configuration value `enableNetworkPolicy`, which that version does not have.
    """

    id = "E2093"
    needs = Needs.LOCK
    source = "https://docs.aws.amazon.com/eks/latest/userguide/cni-network-policy.html; catalog: addons"

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        eks = context.environment.config.section(Eks)
        if eks is None or lock is None or lock.kubernetes_version != eks.version:  # else rule E2020
            return
        for row in context.catalog.managed_addons:
            first, locked = row.network_policies_from, lock.addons.get(row.name, "")
            form = ADDON_VERSION.fullmatch(locked)
            if first is not None and form is not None and version_key(form[1]) < version_key(first):
                separated = " between teams" if context.environment.config.teams else ""
                yield Violation(
                    ("eks", "addons"),
                    f"the lock has {row.name} {locked}, which enforces no NetworkPolicies{separated}: {first} is the "
                    "first version that does",
                    f"run `{LOCK_IT}` again, which pins the default version of EKS",
                )
