"""Invalid tolerations, selectors and resource quantities in chart values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import PlanRule, Violation
from neuron_cluster.software.recorded_pods import workloads_and_values
from neuron_cluster.software.shaped_workload import UnreadableValue, shaped_workload

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class InvalidPodSettings(PlanRule):
    """Pod settings of the chart values are valid for Kubernetes (`eks.chart_values`).

    Charts copy tolerations, selectors, affinities, requests and limits unchecked.

    Without this check helm fails during the deploy ("quantities must match the regular expression"), and the software
    stack rolls back.
    """

    id = "E5042"
    source = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/"

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        reported = set()
        for values, shape in workloads_and_values(plan, catalog):
            try:
                shaped_workload(shape, values)
            except UnreadableValue as unreadable:
                place = (shape.software, unreadable.path)
                if place not in reported:
                    reported.add(place)
                    yield Violation(
                        ("eks", "chart_values", shape.software, *unreadable.path.split(".")),
                        f"the value is not valid for {shape.workload}: {unreadable.reason}",
                        "write it as in a pod manifest: requests: {cpu: 500m, memory: 1Gi}, "
                        "tolerations: [{key: team, operator: Exists}], nodeSelector: {team: red}",
                    )
