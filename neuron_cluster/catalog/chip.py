"""Neuron chips: their cores, and the SDK and driver versions that support them."""

from __future__ import annotations

from neuron_cluster.catalog.sourced_row import SourcedRow


class Chip(SourcedRow, frozen=True, kw_only=True):
    """One chip generation (``name`` is ``trainium2``). ``last_sdk`` and ``driver_below`` are None while supported.

    ``first_sdk`` and ``last_sdk`` are the first and the last Neuron SDK release that support it; drivers of version
    ``driver_below`` or newer do not.
    """

    title: str
    neuroncore_version: str
    cores_per_chip: int
    device_memory_gib: int
    families: tuple[str, ...]
    trains: bool
    first_sdk: str | None
    last_sdk: str | None
    driver_below: str | None
    successor: str | None
    """Family of instances to move to."""
    tensor_parallel_sizes: tuple[int, ...] = ()
    """Numbers of logical cores that AWS lists for tensor parallelism; empty where no source has a list."""
    older_tensor_parallel_sizes: tuple[int, ...] = ()
    """Those of an older page of AWS that contradicts the list; empty where there is none."""
