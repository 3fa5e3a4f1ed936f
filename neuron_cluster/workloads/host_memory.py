"""Whether the host of a server has the memory to load a model: the calculation of ``recommend``."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.weight_format import weight_formats
from neuron_cluster.sizing.fit import LoadingMemory, loading_memory
from neuron_cluster.sizing.memory import PLAIN
from neuron_cluster.workloads.model_shape import ModelShape

GIB = 2**30
REFUSED, DOUBTFUL = "E9297", "W9298"


class HostShortfall(Struct, frozen=True):
    """``id`` is that of the finding; the memory of the process beside the weights is an estimate, which warns alone."""

    id: str
    message: str
    needed_gib: int
    is_of_host: bool
    """Whether the instance has too little, and not only the share of the pod or job."""


def loading_of(shape: ModelShape, chip: Chip, catalog: Catalog) -> LoadingMemory | None:
    """In the format that the chip computes with; None where the parameters or their format are not known."""
    if shape.sizes is None or not shape.sizes.parameters:
        return None
    if shape.weight_bytes is None and shape.sizes.stored_format == PLAIN:
        return None
    row = weight_formats()[shape.sizes.stored_format]
    return loading_memory(shape.sizes, row.name if not row.chips or chip.name in row.chips else PLAIN, catalog)


def host_shortfalls(
    shape: ModelShape, chip: Chip, row: InstanceType | None, share: tuple[str, float] | None, catalog: Catalog
) -> Iterator[HostShortfall]:
    """At most one. ``row`` is the type of the node; ``share`` names the memory of a pod or job, in GiB."""
    loading = loading_of(shape, chip, catalog)
    if loading is None:
        return
    needed, takes = ceil(loading.size / GIB), f"loading {shape.name} takes {loading.words}"
    host = row.memory_gib if row is not None else None
    if row is not None and host is not None and loading.size > host * GIB:
        finding_id = REFUSED if shape.is_certain and loading.weights > host * GIB else DOUBTFUL
        yield HostShortfall(finding_id, f"the host of {row.name} has {host:,} GiB, and {takes}", needed, True)
    elif share is not None and loading.size > share[1] * GIB:
        yield HostShortfall(DOUBTFUL, f"{share[0]} is {share[1]:g} GiB, and {takes}", needed, False)
