"""Findings about the host memory of a server, with the comparison of ``recommend``."""

from __future__ import annotations

from math import inf

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.weight_format import PLAIN
from neuron_cluster.sizing.host_memory import (
    HostMemory,
    LoadingMemory,
    Shortfall,
    larger_type_hint,
    loading_memory,
    shortfall_of,
)
from neuron_cluster.sizing.model_shape import ModelShape

GIB = 2**30
REFUSED, DOUBTFUL = "E9297", "W9298"


class HostProblem(Struct, frozen=True):
    """``id`` is that of the finding; the memory of the process next to the weights is an estimate, which only warns."""

    id: str
    message: str
    hint: str


def loading_of(shape: ModelShape, chip: Chip, catalog: Catalog) -> LoadingMemory | None:
    """In the format that the chip computes with; None where the parameters or their format are not known."""
    if shape.sizes is None or not shape.sizes.parameters:
        return None
    if shape.weight_bytes is None and shape.sizes.stored_format == PLAIN:
        return None
    row = catalog.weight_formats[shape.sizes.stored_format]
    return loading_memory(shape.sizes, row.name if not row.chips or chip.name in row.chips else PLAIN, catalog)


def host_problem(
    shape: ModelShape,
    chip: Chip,
    host: HostMemory,
    setting: str,
    catalog: Catalog,
    region: str,
    zone_ids: tuple[str, ...],
) -> HostProblem | None:
    """None where the host can load the model. ``setting`` is the key or option with a place for the number of GiB."""
    loading = loading_of(shape, chip, catalog)
    found = shortfall_of(loading, host) if loading is not None else None
    if loading is None or found is None:
        return None
    takes = f"loading {shape.name} takes {loading.text}"
    compared = "(the command recommend compares types)"
    if found is Shortfall.SHARE:
        message = f"{host.share_name} is {host.share / GIB:g} GiB, and {takes}"
        known = "" if host.free < inf else ", as far as the nodes have it"
        return HostProblem(DOUBTFUL, message, f"set {setting.format(loading.whole_gib)}{known} {compared}")
    finding_id = REFUSED if found is Shortfall.MOST and shape.is_certain else DOUBTFUL
    hint = larger_type_hint(loading, catalog.instance_types.get(host.instance_type), catalog, region, zone_ids)
    return HostProblem(finding_id, f"{host.text}, and {takes}", f"{hint} {compared}")
