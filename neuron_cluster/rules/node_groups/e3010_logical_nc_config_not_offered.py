"""Logical NeuronCores that the chip does not make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.wording import listed

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class LogicalNcConfigNotOffered(ConfigRule):
    """logical_nc_config is a value that the chip offers.

    Without it: AWS answers nothing. The file on the node is ignored or stops the runtime (nrt_init fails), and pods
    see another number of NeuronCores than their job was written for.
    """

    id = "E3010"
    source = "aws-neuron/aws-neuron-sdk: about-neuron/arch/neuron-features/logical-neuroncore-config.rst"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        for asked in asked_node_groups(config, catalog):
            wish, row = asked.group.logical_nc_config, asked.instance_type
            configs = row.logical_nc_configs if row is not None else None
            if wish is None or row is None or configs is None or wish in configs:
                continue
            offer = f"offers {listed(configs, 'or')} only"
            yield Violation(
                (*asked.path, "logical_nc_config"),
                f"logical_nc_config is {wish}, but {row.name} {offer if asked.is_neuron else 'has no NeuronCores'}",
                "remove logical_nc_config: the default is right for this type",
            )
