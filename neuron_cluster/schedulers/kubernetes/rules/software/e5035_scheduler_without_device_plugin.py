from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class SchedulerWithoutDevicePlugin(Rule):
    """The Neuron scheduler extension requires the Neuron device plugin (`eks.addons.neuron_scheduler`).

    It schedules pods with the annotations that the device plugin writes on nodes and pods. The DRA driver publishes
    the device topology to kube-scheduler and does not require the extension.

    Without this check helm rejects the release ("scheduler requires the device plugin"), and the software stack rolls
    back.
    """

    id = "E5035"
    source = "aws-neuron/neuron-helm-charts: charts/neuron-helm-chart/templates; aws-neuron-sdk: deploy/eks/dra.rst"
    proposes = ("neuron_dra_driver", "neuron_scheduler")

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None or not cluster.flag("neuron_scheduler"):
            return
        if "neuron_device_plugin" in enabled_components(context.environment, context.catalog):
            return
        with_driver = cluster.flag("neuron_dra_driver")
        yield Violation(
            (*cluster.path, "addons", "neuron_scheduler"),
            "neuron_scheduler is true, but the Neuron device plugin is not enabled"
            + (": neuron_dra_driver replaces it" if with_driver else ""),
            "remove neuron_scheduler" + (", or remove neuron_dra_driver" if with_driver else ""),
        )
