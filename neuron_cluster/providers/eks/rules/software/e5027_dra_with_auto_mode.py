from __future__ import annotations

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class DraWithAutoMode(Rule):
    """The Neuron DRA driver is not enabled together with EKS Auto Mode (`eks.addons.neuron_dra_driver`).

    Without this check AWS reports no error. Auto Mode has its own Neuron device plugin and does not support DRA:
    resource claims stay unallocated, and their pods Pending.
    """

    id = "E5027"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/device-management-neuron.html"
    proposes = ("auto_mode", "eks", "neuron_dra_driver")

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        if eks is None or not eks.auto_mode or not eks.addons.neuron_dra_driver:
            return
        dra = context.catalog.device_managements["dra"]
        if not dra.works_with_auto_mode:
            yield Violation(
                ("eks", "addons", "neuron_dra_driver"),
                f"neuron_dra_driver and eks.auto_mode are both true, but the {dra.title} does not support EKS "
                "Auto Mode",
                "remove neuron_dra_driver (the device plugin supports both), or set eks.auto_mode: false",
            )
