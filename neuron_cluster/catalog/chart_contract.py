"""What third-party software gives to a cluster and asks of it: kinds, webhooks, other charts, service accounts."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

AdmissionWebhooks = Literal["none", "ignore", "fail"]
"""What happens to the objects that the software's webhooks watch while none of its pods answers: ``fail`` refuses them,
``ignore`` lets them pass unchecked. The strictest of all its webhooks counts."""


class ProvidedKind(Struct, frozen=True, kw_only=True):
    """A kind of custom resource, in one version that is served. ``when`` is the switch in the values that makes it."""

    api_version: str
    kind: str
    namespaced: bool
    when: str | None = None

    def __str__(self) -> str:
        """``jobset.x-k8s.io/v1alpha2 JobSet``."""
        return f"{self.api_version} {self.kind}"


class ChartNeed(Struct, frozen=True, kw_only=True):
    """Another chart that must be there first. ``when`` is the switch in the values that brings the need about."""

    chart: str
    because: str
    when: str | None = None


class PodAccount(Struct, frozen=True, kw_only=True):
    """A service account that the software makes. ``namespace`` is None for that of the release.

    ``annotations_path`` is where the values take annotations for it; Pod Identity needs none.
    """

    name: str
    namespace: str | None = None
    annotations_path: str | None = None
