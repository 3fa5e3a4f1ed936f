from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_types import types_without_dra_driver
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class DraDriverWithDevicePlugin(Rule):
    """The Neuron DRA driver and the Neuron device plugin are not enabled together (`eks.addons`).

    Without this check AWS reports no error. Both allocate the same devices on every Neuron node without coordination:
    two jobs get one Neuron device, and the second fails in nrt_init() with "NeuronCore(s) not available".
    """

    id = "E5029"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/device-management-neuron.html"
    proposes = ("neuron_device_plugin", "neuron_dra_driver")

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None:
            return
        if cluster.flag("neuron_dra_driver") and cluster.flag("neuron_device_plugin"):
            lacking = types_without_dra_driver(context.environment, context.catalog)
            dra, plugin = context.catalog.device_managements["dra"], context.catalog.device_managements["device_plugin"]
            yield Violation(
                (*cluster.path, "addons", "neuron_device_plugin"),
                f"neuron_device_plugin and neuron_dra_driver are both true, but the {plugin.title} and the {dra.title} "
                "must not share a node",
                f"remove neuron_dra_driver, which does not run on {listed(lacking)}"
                if lacking
                else "remove neuron_device_plugin (pods then claim devices of the class neuron.aws.com), or remove "
                "neuron_dra_driver",
            )
