"""The control plane of a cluster, as pages and pictures show it."""

from __future__ import annotations

from msgspec import Struct


class ControlPlane(Struct, frozen=True, kw_only=True):
    """The part of a cluster that AWS runs, outside of the account's instances."""

    label: str
    """The label: ``control plane``."""
    software: str
    version: str
    lines: tuple[str, ...]
    """The rest, a text for each line of a picture."""
    zone_id: str | None = None
    """Zone of the private subnet that has its only network interface; None: its interfaces are in several zones."""

    @property
    def title(self) -> str:
        """``Kubernetes 1.35``."""
        return f"{self.software} {self.version}"
