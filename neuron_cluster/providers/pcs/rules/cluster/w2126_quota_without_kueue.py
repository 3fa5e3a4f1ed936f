"""Quotas of teams that Slurm does not apply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.groups import slurm_groups
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class QuotaWithoutKueue(ConfigRule):
    """The quota of a team is not of a group of Slurm (`teams[].quota[].node_group`).

    Kueue applies quotas, on Kubernetes alone. In Slurm the team is a POSIX user, and limits are those of accounts
    (sacctmgr). Only a warning.

    Without this check AWS reports no error, and the team uses every device of the queue.
    """

    id = "W2126"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/; https://slurm.schedmd.com/resource_limits.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        if environment.config.section(Slurm) is None:
            return
        names = {group.name for group in slurm_groups(environment)}
        for position, team in enumerate(environment.config.teams):
            for number, quota in enumerate(team.quota):
                if quota.node_group in names:
                    yield Violation(
                        ("teams", position, "quota", number),
                        f"{quota.node_group} is a group of slurm, where the quotas of teams do not apply",
                        "remove the quota, and limit the team with `sacctmgr` (docs/slurm.md)",
                    )
