from __future__ import annotations

from neuron_cluster.rules.base import LOCK_IT, Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in
from neuron_cluster.schedulers.kubernetes.software.components.registry import CHARTS, CHARTS_OF_GROUPS


class LockChartVersionMismatch(Rule):
    """The lock has the chart versions of this toolkit release (`eks.addons`).

    Values match one version of a chart, so the toolkit sets the version and the lock adds the digest.

    Without this check AWS reports no error. The chart is installed in the toolkit's version, and its digest is not
    compared with the lock.
    """

    id = "W5052"
    needs = Needs.LOCK
    source = "https://helm.sh/docs/helm/helm_upgrade/ (--version); keys of each version: catalog/data/charts"

    def check(self, context: RuleContext) -> Violations:
        environment, catalog, lock = context.environment, context.catalog, context.lock
        cluster = kubernetes_in(environment.config)
        if lock is None or cluster is None:
            return
        enabled = [CHARTS[flag] for flag in enabled_components(environment, catalog) if flag in CHARTS]
        for name in dict.fromkeys((*enabled, *CHARTS_OF_GROUPS.values())):
            locked, chart = lock.charts.get(name), catalog.charts.get(name)
            if locked is not None and chart is not None and locked.version != chart.version:
                yield Violation(
                    (*cluster.path, "addons"),
                    f"the lock has {name} {locked.version}, whose values this toolkit release does not have: "
                    f"{chart.version} is installed",
                    f"run `{LOCK_IT}` again",
                )
