"""Neuron scheduler extension without the Neuron device plugin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.eks.components import enabled_components
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class SchedulerWithoutDevicePlugin(ConfigRule):
    """The Neuron scheduler extension requires the Neuron device plugin (`eks.addons.neuron_scheduler`).

    It schedules pods with the annotations that the device plugin writes on nodes and pods. The DRA driver publishes
    the device topology to kube-scheduler and does not require the extension.

    Without this check helm rejects the release ("scheduler requires the device plugin"), and the software stack rolls
    back.
    """

    id = "E5035"
    source = "aws-neuron/neuron-helm-charts: charts/neuron-helm-chart/templates; aws-neuron-sdk: deploy/eks/dra.rst"
    proposes = ("neuron_dra_driver", "neuron_scheduler")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        eks = environment.config.section(Eks)
        if eks is None or not eks.addons.neuron_scheduler:
            return
        if "neuron_device_plugin" in enabled_components(environment, catalog):
            return
        with_driver = eks.addons.neuron_dra_driver
        yield Violation(
            ("eks", "addons", "neuron_scheduler"),
            "neuron_scheduler is true, but the Neuron device plugin is not enabled"
            + (": neuron_dra_driver replaces it" if with_driver else ""),
            "remove neuron_scheduler" + (", or remove neuron_dra_driver" if with_driver else ""),
        )
