from __future__ import annotations

from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.software.recorded_pods import workloads_and_values
from neuron_cluster.schedulers.kubernetes.software.shaped_workload import UnreadableValue, shaped_workload


class InvalidPodSettings(Rule):
    """Pod settings of the chart values are valid for Kubernetes (`eks.chart_values`).

    Charts copy tolerations, selectors, affinities, requests and limits unchecked.

    Without this check helm fails during the deploy ("quantities must match the regular expression"), and the software
    stack rolls back.
    """

    id = "E5042"
    needs = Needs.PLAN
    source = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/"

    def check(self, context: RuleContext) -> Violations:
        cluster = context.plan.kubernetes
        if cluster is None:
            return
        reported = set()
        for values, shape in workloads_and_values(context.plan, context.catalog):
            try:
                shaped_workload(shape, values)
            except UnreadableValue as unreadable:
                place = (shape.software, unreadable.path)
                if place not in reported:
                    reported.add(place)
                    yield Violation(
                        (*cluster.path, "chart_values", shape.software, *unreadable.path.split(".")),
                        f"the value is not valid for {shape.workload}: {unreadable.reason}",
                        "write it as in a pod manifest: requests: {cpu: 500m, memory: 1Gi}, "
                        "tolerations: [{key: team, operator: Exists}], nodeSelector: {team: red}",
                    )
