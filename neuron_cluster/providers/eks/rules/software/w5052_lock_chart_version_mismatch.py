"""Chart versions of an older lock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.eks.components import enabled_components
from neuron_cluster.rules.base import LOCK_IT, LockRule, Violation
from neuron_cluster.software.components.registry import CHARTS

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class LockChartVersionMismatch(LockRule):
    """The lock has the chart versions of this toolkit release (`eks.addons`).

    Values match one version of a chart, so the toolkit sets the version and the lock adds the digest.

    Without this check AWS reports no error. The chart is installed in the toolkit's version, and its digest is not
    compared with the lock.
    """

    id = "W5052"
    source = "https://helm.sh/docs/helm/helm_upgrade/ (--version); keys of each version: catalog/data/charts"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[Violation]:
        if lock is None:
            return
        for name in dict.fromkeys(CHARTS[flag] for flag in enabled_components(environment, catalog) if flag in CHARTS):
            locked, chart = lock.charts.get(name), catalog.chart(name)
            if locked is not None and chart is not None and locked.version != chart.version:
                yield Violation(
                    ("eks", "addons"),
                    f"the lock has {name} {locked.version}, whose values this toolkit release does not have: "
                    f"{chart.version} is installed",
                    f"run `{LOCK_IT}` again",
                )
