"""Front ends of the bundled charts that starter jobs are made from, with the frameworks in whose images they run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.container import Container
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.training_front_ends import TRAINING
from neuron_cluster.schedulers.kubernetes.software.framework_images import newest_container

SERVING: Mapping[str, str] = {"vllm": "vllm", "vllm_nxd": "vllm_nxd", "torchserve": "torch_neuron"}
"""Front ends of neuron-serving with the frameworks in whose images they run, the usual one first."""


def front_ends_of(declared: Sequence[str], front_ends: Mapping[str, str], catalog: Catalog) -> list[str]:
    """The front ends whose images run these frameworks, in the order of the frameworks."""
    rows = [row for name in declared if (row := catalog.frameworks.get(name)) is not None]
    return [name for row in rows for name, framework in front_ends.items() if row.is_in_image_of(framework)]


def preferred(declared: Sequence[str], front_ends: Mapping[str, str], catalog: Catalog) -> tuple[str, ...]:
    """All front ends: those of the ``declared`` frameworks of the file, then the others, the usual one first."""
    return tuple(dict.fromkeys((*front_ends_of(declared, front_ends, catalog), *front_ends)))


def starter_images(group: NodeGroupPlan, plan: ClusterPlan, catalog: Catalog) -> Iterator[Container]:
    """Yields the images of both charts on nodes of this group without ``--front-end``; none where no image is known."""
    row = catalog.instance_types.get(group.machine.instance_type)
    chip = catalog.chips.get(row.chip) if row is not None and row.chip is not None else None
    if chip is None:
        return
    for front_ends in (TRAINING, SERVING):
        names = preferred(plan.frameworks, front_ends, catalog)
        found = (newest_container(front_ends[name], chip, plan.neuron_sdk, catalog) for name in names)
        image = next((each for each in found if each is not None), None)
        if image is not None:
            yield image
