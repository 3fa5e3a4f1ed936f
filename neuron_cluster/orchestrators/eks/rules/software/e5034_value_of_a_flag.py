"""Values that a flag or the toolkit itself decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.chart_values import value_at
from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.software.components.registry import flag_values

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class ValueOfAFlag(ConfigRule):
    """chart_values leave alone what flags of eks.addons and the toolkit itself decide.

    Flags turn parts of charts on and off. Names of objects, service accounts with a role in AWS, the cluster's own
    name and the definitions of kinds are what roles, queues and other charts of the toolkit hold on to.

    Without this check AWS reports no error. The Neuron chart has two releases, and both would get the value: with the
    DRA driver on, a release drops device plugin and detector without a word, and nodes end with both ways to hand out
    devices, or none. A controller with another service account has no role, and one for another cluster's name finds
    nothing of this one; without its kinds the next release fails, and the software stack rolls back.
    """

    id = "E5034"
    source = "https://github.com/aws-neuron/neuron-helm-charts (charts/neuron-helm-chart/templates, 1.9.0)"
    proposes = ("addons", "eks", "jobset", "neuron_device_plugin", "neuron_dra_driver", "neuron_node_problem_detector")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        eks = environment.config.section(Eks)
        if eks is None:
            return
        for chart, values in eks.chart_values.items():
            row = catalog.chart(chart)
            for path, depending in row.own_values.items() if row is not None else ():
                if value_at(values, path) is not None:
                    yield Violation(
                        ("eks", "chart_values", chart, *path.split(".")),
                        f"{path} of {chart} is the toolkit's own, for the sake of {depending}",
                        "remove the line",
                    )
            for path, flag in flag_values(chart).items():
                given = value_at(values, path)
                if given is not None:
                    yield Violation(
                        ("eks", "chart_values", chart, *path.split(".")),
                        f"{path} of {chart} follows from eks.addons.{flag}",
                        f"remove the line, and set eks.addons.{flag}: {str(given is True).lower()}",
                    )
