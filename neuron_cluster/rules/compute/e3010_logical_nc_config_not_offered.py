"""Logical NeuronCores that the chip does not make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class LogicalNcConfigNotOffered(ConfigRule):
    """logical_nc_config is a value that the chip offers.

    Without this check AWS reports no error. The file on the node is ignored or stops the runtime (nrt_init fails), and
    pods see another number of NeuronCores than their job was written for.
    """

    id = "E3010"
    source = "aws-neuron/aws-neuron-sdk: about-neuron/arch/neuron-features/logical-neuroncore-config.rst"
    proposes = ("logical_nc_config",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for group in environment.cluster_groups:
            wish, row = group.spec.logical_nc_config, group.instance_type
            configs = row.logical_nc_configs if row is not None else None
            if wish is None or row is None or configs is None or wish in configs:
                continue
            offer = f"offers {listed(configs, 'or')} only"
            yield Violation(
                (*group.path, "logical_nc_config"),
                f"logical_nc_config is {wish}, but {row.name} {offer if group.is_neuron else 'has no NeuronCores'}",
                "remove logical_nc_config: the default is right for this type",
            )
