"""A cluster that nobody can enter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class NoAdminPrincipal(ConfigRule):
    """At least one IAM role or user administers the cluster.

    The role that deploys gets no rights in the cluster by itself, so that access is what the file says.

    Without this check AWS reports no error. The cluster works, and everybody who asks it gets "error: You must be
    logged in to the server (Unauthorized)" until somebody with IAM rights adds an access entry by hand.
    """

    id = "E2003"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        eks = config.section(Eks)
        if eks is not None and not eks.access.admins:
            yield Violation(
                ("eks", "access", "admins"),
                "admins names nobody, so nobody could use the cluster",
                f"add the role that your platform team signs in with: arn:aws:iam::{config.account}:role/<name>",
            )
