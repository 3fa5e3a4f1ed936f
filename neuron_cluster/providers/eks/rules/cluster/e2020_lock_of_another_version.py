from __future__ import annotations

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import LOCK_IT, Needs, Rule, RuleContext, Violation, Violations


class LockOfAnotherVersion(Rule):
    """The lock file was written for the Kubernetes version of the cluster (`eks.version`).

    AMI releases and add-on versions are published per minor version. After an edit of eks.version the lock is written
    again; its table shows the AMIs and add-ons that change with the upgrade.

    Without this check EKS rejects the node groups with InvalidParameterException, "Requested release version
    1.34.2-20260714 is not valid for kubernetes version 1.35", after the control plane has been upgraded and cannot be
    downgraded.
    """

    id = "E2020"
    needs = Needs.LOCK
    source = "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html (releaseVersion)"

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        eks = context.environment.config.section(Eks)
        if eks is None or lock is None or lock.kubernetes_version == eks.version:
            return
        made_for = f"Kubernetes {lock.kubernetes_version}" if lock.kubernetes_version else "no cluster"
        yield Violation(
            ("eks", "version"),
            f"version is {eks.version}, but the lock was written for {made_for}",
            f"run `{LOCK_IT}` again: it pins AMI releases and add-ons of {eks.version}",
        )
