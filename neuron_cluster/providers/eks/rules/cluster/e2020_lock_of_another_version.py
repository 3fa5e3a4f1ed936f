"""Lock file written for another Kubernetes version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import LOCK_IT, LockRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class LockOfAnotherVersion(LockRule):
    """The lock file was written for the Kubernetes version of the cluster (`eks.version`).

    AMI releases and add-on versions are published per minor version. After an edit of eks.version the lock is written
    again; its table shows the AMIs and add-ons that change with the upgrade.

    Without this check EKS rejects the node groups with InvalidParameterException, "Requested release version
    1.34.2-20260714 is not valid for kubernetes version 1.35", after the control plane has been upgraded and cannot be
    downgraded.
    """

    id = "E2020"
    source = "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html (releaseVersion)"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[Violation]:
        del catalog
        eks = environment.config.section(Eks)
        if eks is None or lock is None or lock.kubernetes_version == eks.version:
            return
        made_for = f"Kubernetes {lock.kubernetes_version}" if lock.kubernetes_version else "no cluster"
        yield Violation(
            ("eks", "version"),
            f"version is {eks.version}, but the lock was written for {made_for}",
            f"run `{LOCK_IT}` again: it pins AMI releases and add-ons of {eks.version}",
        )
