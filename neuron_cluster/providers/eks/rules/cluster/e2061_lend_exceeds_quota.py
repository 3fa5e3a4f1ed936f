"""Quotas that lend more than they have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.eks.listed_quotas import listed_quotas
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class LendExceedsQuota(ConfigRule):
    """A team lends at most the devices of its quota (`teams[].quota[].lend`).

    Without this check Kueue rejects the ClusterQueue, whose lendingLimit exceeds its nominalQuota, and the software
    stack rolls back.
    """

    id = "E2061"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#lendinglimit"
    proposes = ("lend",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for each in listed_quotas(environment):
            lend, devices = each.spec.lend, each.spec.devices
            if lend is not None and lend > devices:
                yield Violation(
                    (*each.path, "lend"),
                    f"lend is {lend}, but the quota of {each.team.name} is {devices} devices",
                    f"write lend: {devices} or less, or remove lend, which lends all",
                )
