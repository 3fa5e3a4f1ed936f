"""Front ends of the bundled charts that starter jobs are made from, with the frameworks in whose images they run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.container import Container
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.software.framework_images import newest_container

TRAINING: Mapping[str, str] = {"jax": "jax", "torchtitan": "torchtitan", "nxd": "torch_neuronx_training"}
"""Of neuron-training, the usual one first."""
SERVING: Mapping[str, str] = {"vllm": "vllm", "vllm_nxd": "vllm_nxd", "torchserve": "torch_neuron"}
"""Of neuron-serving, likewise."""


def starter_images(group: NodeGroupPlan, sdk: str, catalog: Catalog) -> Iterator[Container]:
    """What both charts run on the nodes of this group without a choice of the user; nothing where none is known."""
    row = catalog.instance_type(group.machine.instance_type)
    chip = catalog.chip(row.chip) if row is not None and row.chip is not None else None
    if chip is None:
        return
    for front_ends in (TRAINING, SERVING):
        found = (newest_container(framework, chip, sdk, catalog) for framework in front_ends.values())
        image = next((each for each in found if each is not None), None)
        if image is not None:
            yield image
