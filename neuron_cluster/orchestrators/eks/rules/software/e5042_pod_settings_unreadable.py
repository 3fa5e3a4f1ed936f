"""Tolerations, selectors and amounts that Kubernetes cannot read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import PlanRule, Violation
from neuron_cluster.software.recorded_pods import workloads_and_values
from neuron_cluster.software.shaped_workload import UnreadableValue, shaped_workload

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class PodSettingsUnreadable(PlanRule):
    """What chart_values says about pods is what Kubernetes reads as such.

    Charts hand tolerations, selectors, affinities, requests and limits on as they are; no chart checks them.

    Without this check helm fails in the middle of the deploy ("quantities must match the regular expression"), and the
    software stack rolls back.
    """

    id = "E5042"
    source = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/"

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        said = set()
        for values, shape in workloads_and_values(plan, catalog):
            try:
                shaped_workload(shape, values)
            except UnreadableValue as unreadable:
                place = (shape.software, unreadable.path)
                if place not in said:
                    said.add(place)
                    yield Violation(
                        ("eks", "chart_values", shape.software, *unreadable.path.split(".")),
                        f"Kubernetes cannot read this for {shape.workload}: {unreadable.reason}",
                        "write it as in the pods of any manifest: requests: {cpu: 500m, memory: 1Gi}, "
                        "tolerations: [{key: team, operator: Exists}], nodeSelector: {team: red}",
                    )
