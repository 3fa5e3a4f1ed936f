"""Parts that third-party software provides and requires: custom resources, webhooks, charts, service accounts."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

AdmissionWebhooks = Literal["none", "ignore", "fail"]
"""Failure policy of the software's webhooks while none of its pods responds: ``fail`` rejects objects, ``ignore``
admits them unchecked. Of several webhooks, the strictest policy."""


class ProvidedKind(Struct, frozen=True, kw_only=True):
    """A kind of custom resource, in one served version. ``when`` is the flag in the values that creates it."""

    api_version: str
    kind: str
    namespaced: bool
    when: str | None = None

    def __str__(self) -> str:
        """``jobset.x-k8s.io/v1alpha2 JobSet``."""
        return f"{self.api_version} {self.kind}"


class ChartNeed(Struct, frozen=True, kw_only=True):
    """Another chart that must be installed first. ``when`` is the flag in the values that requires it."""

    chart: str
    because: str
    when: str | None = None


class PodAccount(Struct, frozen=True, kw_only=True):
    """A service account that the software creates. ``namespace`` is None for that of the release.

    ``annotations_path`` is the key of its annotations in the values; Pod Identity requires none.
    """

    name: str
    namespace: str | None = None
    annotations_path: str | None = None
