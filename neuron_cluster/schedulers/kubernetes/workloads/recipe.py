"""How a bundled chart is filled in: what it needs, which front ends it has, which values depend on the context."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.startup.needs import StartNeeds, nothing

COMPILE_CACHE = "compileCache"
"""Key of the location of compiled graphs."""


class StorageLocation(Struct, frozen=True):
    """A claim on a shared file system or a prefix of an S3 bucket: a key of the values with ``claim``, ``url`` or both.

    ``prefix`` is the one in a bucket that the user names; None where it must be a claim or an address. The chart does
    not work without a location that ``is_required``, for the front ends of ``front_ends`` (None: all).
    """

    key: str
    holds: str
    prefix: str | None
    is_required: bool
    without_it: str
    front_ends: tuple[str, ...] | None = None
    is_written: bool = False
    """Whether its pods create objects there; others only read them."""

    def is_for(self, front_end: str) -> bool:
        return self.front_ends is None or front_end in self.front_ends


class ComponentNeed(Struct, frozen=True):
    """A component that a chart needs: its flag in ``addons``, and when it is needed.

    ``instead`` is the flag of another component that serves the same.
    """

    switch: str
    when: str
    instead: str | None = None


NOTHING: Mapping[str, str] = {}


class Recipe(Struct, frozen=True):
    """One chart.

    ``front_ends`` maps what ``--front-end`` can be to the framework in the catalog whose image it runs in, the usual
    one first; ``front_end_key`` is the value that sets it, None where only the image does. ``nodes_key`` is the value
    with the number of nodes, None for what always runs on one. ``values`` are those that no other chart has.
    """

    chart: str
    needs: tuple[ComponentNeed, ...]
    front_ends: Mapping[str, str]
    front_end_key: str | None
    nodes_key: str | None
    default_nodes: int
    locations: tuple[StorageLocation, ...]
    values: Callable[[WorkloadContext], Mapping[str, Any]]
    user_key_of: Mapping[str, str] = NOTHING
    """Front end to the value that only the user can set for it."""
    keys_given_together: tuple[tuple[str, str], ...] = ()
    """Values that belong together: who sets the first one sets the second one too."""
    start: Callable[[Mapping[str, Any]], StartNeeds] = nothing
    """The start as complete values decide it."""
    dockerfiles: Mapping[str, str] = NOTHING
    """Front end without a public image to the file that builds one."""
    is_server: bool = False
    """Its pods serve requests until they are deleted, and are in no queue unless the user names one."""
    uses_devices: bool = True
    """Its pods request Neuron devices; those of others are in no queue unless the user names one."""
    runs_on_cpu_nodes: bool = False
    """It runs on a CPU node group, or on the processors of a Neuron group that the user names."""

    fills_compile_cache: bool = False
    """Its pods write graphs that others read."""

    def uses_compile_cache(self, front_end: str) -> bool:
        """Whether its pods read or write compiled graphs."""
        return any(location.key == COMPILE_CACHE and location.is_for(front_end) for location in self.locations)

    @property
    def purpose(self) -> Literal["training", "inference"] | None:
        """The purpose for which frameworks are declared; None for tools."""
        if self.has_checkpoints:
            return "training"
        return "inference" if "vllm" in self.front_ends and not self.fills_compile_cache else None

    @property
    def has_checkpoints(self) -> bool:
        """Whether it trains a model."""
        return any(location.key == "checkpoints" for location in self.locations)
