"""Which switches of ``eks.addons`` are on in the file as written, with the defaults that the plan decides too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.software.switched_on import Surroundings, switched_on

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


def asked_switches(config: EnvironmentConfig, catalog: Catalog) -> tuple[str, ...]:
    """In the order of the model; none without a cluster. A test compares them with those of the plan."""
    if config.eks is None:
        return ()
    return switched_on(config.eks.addons, surroundings(config, catalog), catalog)


def surroundings(config: EnvironmentConfig, catalog: Catalog) -> Surroundings:
    """What the defaults of the switches depend on."""
    groups = tuple(asked_node_groups(config, catalog))
    return Surroundings(
        has_neuron=any(asked.is_neuron for asked in groups),
        has_efa=any(asked.has_efa for asked in groups),
        has_queues=any(asked.group.queue is not None for asked in groups),
        has_lustre=config.storage is not None and config.storage.lustre is not None,
        repairs=any(asked.has_node_repair for asked in groups),
        chart_values=config.eks.chart_values if config.eks is not None else {},
        installed_otherwise=frozenset(config.eks.installed_otherwise if config.eks is not None else ()),
        metrics=config.observability.metrics.value if config.observability is not None else None,
    )
