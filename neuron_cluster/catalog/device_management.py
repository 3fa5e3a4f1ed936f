"""The two device allocation modes of Kubernetes for Neuron devices: device plugin and DRA driver."""

from __future__ import annotations

import functools

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class DeviceManagement(SourcedRow, frozen=True, kw_only=True):
    """One mode (``name`` is ``device_plugin`` or ``dra``). Versions are None where all are supported.

    ``kubernetes_from`` is the control plane's first minor version, ``node_kubernetes_from`` the nodes' first patch.
    """

    title: str
    kubernetes_from: str | None
    node_kubernetes_from: str | None
    works_with_auto_mode: bool


@functools.cache
def device_managements() -> FrozenMap[str, DeviceManagement]:
    """Both by name."""
    return read_rows(DATA_DIRECTORY / "device_management.yaml", DeviceManagement)


def device_management(name: str) -> DeviceManagement:
    """The mode of this name. Raises LookupError for another one: code writes it, not a user."""
    return device_managements()[name]
