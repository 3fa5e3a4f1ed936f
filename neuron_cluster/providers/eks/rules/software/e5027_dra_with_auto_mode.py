"""Neuron DRA driver with EKS Auto Mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class DraWithAutoMode(ConfigRule):
    """The Neuron DRA driver is not enabled together with EKS Auto Mode (`eks.addons.neuron_dra_driver`).

    Without this check AWS reports no error. Auto Mode has its own Neuron device plugin and does not support DRA:
    resource claims stay unallocated, and their pods Pending.
    """

    id = "E5027"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/device-management-neuron.html"
    proposes = ("auto_mode", "eks", "neuron_dra_driver")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        eks = environment.config.section(Eks)
        if eks is None or not eks.auto_mode or not eks.addons.neuron_dra_driver:
            return
        dra = catalog.device_management("dra")
        if not dra.works_with_auto_mode:
            yield Violation(
                ("eks", "addons", "neuron_dra_driver"),
                f"neuron_dra_driver and eks.auto_mode are both true, but the {dra.title} does not support EKS "
                "Auto Mode",
                "remove neuron_dra_driver (the device plugin supports both), or set eks.auto_mode: false",
            )
