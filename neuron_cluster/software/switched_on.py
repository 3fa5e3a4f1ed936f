"""Which switches of ``eks.addons`` are on: what the file says, and the defaults that fit the rest of it.

Kept apart from the components, so that only those that are on are imported. A test compares the names with the fields
of ``Addons`` and with the files of ``components/``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.chart_values import value_at
from neuron_cluster.config.eks import Addons
from neuron_cluster.software.device_management import neuron_software


class Surroundings(Struct, frozen=True, kw_only=True):
    """What the defaults depend on, in the file and in the plan alike."""

    has_neuron: bool
    has_efa: bool
    has_queues: bool
    has_lustre: bool
    repairs: bool
    """Whether a node group has EKS node repair."""
    chart_values: Mapping[str, Mapping[str, Any]]
    """``eks.chart_values``."""
    metrics: str | None
    """``observability.metrics``; None without the section."""
    installed_otherwise: frozenset[str] = frozenset()
    """Switches whose software the user installs."""


Default = Callable[[Addons, Surroundings, Catalog], bool]


def switched_on(wish: Addons, around: Surroundings, catalog: Catalog) -> tuple[str, ...]:
    """The switches that are on, in the order of the model."""
    return tuple(name for name in type(wish).model_fields if _is_on(name, wish, around, catalog))


def _is_on(name: str, wish: Addons, around: Surroundings, catalog: Catalog) -> bool:
    asked: bool | None = getattr(wish, name)
    if asked is None and name in around.installed_otherwise:
        return False
    return DEFAULTS[name](wish, around, catalog) if asked is None else asked


def charts_that_need(chart: str, around: Surroundings, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Charts that ``chart_values`` lets use another one, each with the dotted path of the value that does."""
    for name, values in around.chart_values.items():
        row = catalog.chart(name)
        for path in _paths_to(chart, row) if row is not None else ():
            if value_at(values, path) is True:
                yield name, path


def _paths_to(chart: str, row: Chart) -> Iterator[str]:
    yield from (need.when for need in row.needs if need.chart == chart and need.when is not None)


DEFAULTS: Mapping[str, Default] = {
    "neuron_device_plugin": lambda wish, around, _: neuron_software(wish, has_neuron=around.has_neuron).device_plugin,
    "neuron_node_problem_detector": lambda wish, around, _: (
        neuron_software(wish, has_neuron=around.has_neuron).detector
    ),
    "efa_device_plugin": lambda _, around, __: around.has_efa,
    "node_monitoring_agent": lambda _, around, __: around.repairs,
    "fsx_csi_driver": lambda _, around, __: around.has_lustre,
    "kueue": lambda _, around, __: around.has_queues,
    "neuron_monitor": lambda _, around, __: around.metrics == "prometheus" and around.has_neuron,
    "cloudwatch_observability": lambda _, around, __: around.metrics == "cloudwatch",
    "kube_prometheus_stack": lambda _, around, __: around.metrics == "prometheus",
    "cert_manager": lambda _, around, catalog: any(charts_that_need("cert-manager", around, catalog)),
}
"""Of the switches whose default depends on the rest of the file."""
