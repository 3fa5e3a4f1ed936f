"""Controllers in a cluster, which a product passes for the charts that it installs."""

from __future__ import annotations

from typing import Protocol

from local_aws.custom_resources.kubernetes_object import Identity
from local_aws.custom_resources.kubernetes_state import ClusterState


class Controller(Protocol):
    """The software of a chart: kinds of objects, and the controller of these."""

    @property
    def chart(self) -> str: ...

    @property
    def group(self) -> str:
        """API group of its kinds."""

    def held(self, state: ClusterState, *, is_installed: bool) -> frozenset[Identity]:
        """Objects whose deletion would wait for a finalizer."""

    def reconcile(self, state: ClusterState, *, is_installed: bool) -> None:
        """Applies the effects of a change of the objects."""

    def uninstall(self, state: ClusterState) -> None:
        """The chart goes: helm deletes the definitions of its kinds together with the controller."""
