"""Whether a pod or job on a host has the memory to load a model: the only comparison, for every verb."""

from __future__ import annotations

from enum import Enum
from math import ceil, inf

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.sizing.memory import weights_of
from neuron_cluster.sizing.model_sizes import ModelSizes

GIB = 2**30
FREE_MEMORY_GIB, FREE_PART = 8, 32
"""Left to DaemonSets of a later day, but at most this part of the node."""


class LoadingMemory(Struct, frozen=True):
    """Bytes of host memory while weights are loaded, those of the weights alone, and the sum in words."""

    size: float
    weights: float
    text: str

    @property
    def whole_gib(self) -> int:
        return ceil(self.size / GIB)


class HostMemory(Struct, frozen=True, kw_only=True):
    """Memory of a node, in bytes; ``inf`` where it is not known."""

    free: float
    """The memory that one pod or job gets at most, as far as it is known."""
    most: float
    """The memory that it cannot exceed: ``free`` is an estimate."""
    share: float
    """The memory that it requests; for an instance type the part that is left to it in every environment."""
    share_name: str = ""
    """The key or option that sets it; empty for an instance type."""
    instance_type: str = ""
    instance_gib: int | None = None
    user: str = "pod"

    @property
    def free_gib(self) -> float:
        """Whole GiB, as ``machine.memoryGib`` and ``--mem`` have them."""
        return self.free // GIB

    @property
    def text(self) -> str:
        of_type = f" of {self.instance_type}" if self.share_name else ""
        return f"the host{of_type} has {self.instance_gib:,} GiB, {self.free_gib:,.0f} of them for a {self.user}"


class Shortfall(Enum):
    """The amount that is too small, the most certain first."""

    MOST = "most"
    """The memory that a pod or job cannot exceed is too small for the weights without anything else."""
    INSTANCE = "instance"
    FREE = "free"
    SHARE = "share"

    @property
    def is_of_type(self) -> bool:
        """Whether no node of the type has enough, whatever runs on it."""
        return self in (Shortfall.MOST, Shortfall.INSTANCE)


def shortfall_of(loading: LoadingMemory, host: HostMemory) -> Shortfall | None:
    """None where the host can load the weights."""
    if loading.weights > host.most:
        return Shortfall.MOST
    if host.instance_gib is not None and loading.whole_gib > host.instance_gib:
        return Shortfall.INSTANCE
    if loading.whole_gib > host.free_gib:
        return Shortfall.FREE
    return Shortfall.SHARE if loading.size > host.share else None


def loading_memory(model: ModelSizes, weight_format: str, catalog: Catalog) -> LoadingMemory:
    """The host holds the weights as the checkpoint has them, and next to these the parts of the cores."""
    formats = catalog.weight_formats
    stored = model.stored_format if model.family else weight_format
    loaded = model.stored_bytes or weights_of(model, formats[stored], catalog).total
    needed = loaded + weights_of(model, formats[weight_format], catalog).total
    beside = catalog.limits["host_memory_of_a_loader"].require_minimum()
    text = f"{needed / GIB:,.0f} + {beside} GiB (the weights as stored and as divided)"
    return LoadingMemory(needed + beside * GIB, needed, text)


def host_of_type(row: InstanceType, catalog: Catalog) -> HostMemory | None:
    """Memory of a Kubernetes node of the type: ``free`` is without DaemonSets and huge pages of EFA, ``share`` with
    both. None where it is not known."""
    image = catalog.node_allocatables.of_instance_type(row)
    if image is None or row.memory_gib is None or row.max_pods is None:
        return None
    pages = image.huge_pages_with_efa if row.efa_interfaces else 0
    daemon_sets = catalog.limits["daemon_set_memory"].require_maximum() * GIB
    least = image.memory_bytes(row.memory_gib, row.max_pods, pages) - daemon_sets
    return HostMemory(
        free=image.memory_bytes(row.memory_gib, row.max_pods, 0),
        most=image.max_memory_bytes(row.memory_gib, row.max_pods),
        share=without_reserve(least, FREE_MEMORY_GIB * GIB) // GIB * GIB,
        instance_type=row.name,
        instance_gib=row.memory_gib,
    )


def host_with_share(host: HostMemory | None, name: str, share: float) -> HostMemory:
    """The host as a pod or job has it that requests ``share`` by the key or option ``name``."""
    known = host or HostMemory(free=inf, most=inf, share=inf)
    return replace(known, share=share, share_name=name)


def without_reserve(free: int, reserve: int) -> int:
    """Returns the memory of a node without the reserve, which is smaller on a small node."""
    return max(free, 0) - min(reserve, max(free, 0) // FREE_PART)


def larger_type_hint(
    loading: LoadingMemory, row: InstanceType | None, catalog: Catalog, region: str, zone_ids: tuple[str, ...]
) -> str:
    """The memory of instance types with the same chip that can load the weights in every environment, and one of these
    that the zones offer."""
    found = _larger_types(loading, row, catalog) if row is not None else []
    if not found:
        return "use smaller weights: the catalog has no type with the same Neuron chip and as much memory"
    example = next((each.name for each in found if set(zone_ids) <= set(each.offered_zone_ids(region))), None)
    text = f", for example {example}," if example is not None else ""
    return f"use a group of a type with at least {found[0].memory_gib:,} GiB of memory{text} or smaller weights"


def _larger_types(loading: LoadingMemory, row: InstanceType, catalog: Catalog) -> list[InstanceType]:
    """The smallest first, of equals those of the same family."""
    hosts = ((each, host_of_type(each, catalog)) for each in catalog.instance_types if each.launchable)
    found = [each for each, host in hosts if each.chip == row.chip and host and shortfall_of(loading, host) is None]
    return sorted(
        found, key=lambda each: (each.memory_gib or 0, each.neuron_devices or 0, each.family != row.family, each.name)
    )
