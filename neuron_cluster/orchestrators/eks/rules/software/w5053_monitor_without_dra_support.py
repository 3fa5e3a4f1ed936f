"""Per-core metrics are missing with the DRA driver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.eks.components import enabled_components
from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

BLIND = {
    "neuron_monitor": "neuron-monitor does not support devices that the DRA driver allocates",
}


class MonitorWithoutDraSupport(ConfigRule):
    """Software that measures Neuron devices supports the DRA driver (`eks.addons.neuron_dra_driver`).

    neuron-monitor does not support devices of the DRA driver.

    Without this check AWS reports no error. Per-core metrics are missing.
    """

    id = "W5053"
    source = "aws-neuron/aws-neuron-sdk: deploy/infrastructure/monitoring.rst @81ce03a"
    proposes = ("addons", "eks", "neuron_dra_driver", "neuron_monitor")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        eks = environment.config.section(Eks)
        if eks is None or not eks.addons.neuron_dra_driver:
            return
        on = enabled_components(environment, catalog)
        for flag, reason in BLIND.items():
            if flag in on:
                yield Violation(
                    ("eks", "addons", "neuron_dra_driver"),
                    f"neuron_dra_driver is true, and {reason}",
                    f"remove neuron_dra_driver to use the device plugin, or set eks.addons.{flag}: false",
                )
