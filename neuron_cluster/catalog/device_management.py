"""The two device allocation modes of Kubernetes for Neuron devices: device plugin and DRA driver."""

from __future__ import annotations

from neuron_cluster.catalog.sourced_row import SourcedRow


class DeviceManagement(SourcedRow, frozen=True, kw_only=True):
    """One mode (``name`` is ``device_plugin`` or ``dra``). Versions are None where all are supported.

    ``kubernetes_from`` is the control plane's first minor version, ``node_kubernetes_from`` the nodes' first patch.
    """

    title: str
    kubernetes_from: str | None
    node_kubernetes_from: str | None
    works_with_auto_mode: bool
