"""What a person asks of a workload; everything that is left out is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from neuron_cluster.chart_values import value_at


class WorkloadOptions(Struct, frozen=True):
    """``given`` are values of the user's own, which win over ours. ``bucket`` is the name of an S3 bucket, ``claim``
    that of a PersistentVolumeClaim on a shared file system.
    """

    group: str | None = None
    nodes: int | None = None
    queue: str | None = None
    front_end: str | None = None
    bucket: str | None = None
    claim: str | None = None
    namespace: str | None = None
    """None: the first one of the file."""
    given: Mapping[str, Any] = field(default_factory=dict)

    def whole_number(self, path: str) -> int | None:
        """The user's own value there; None when there is none, or one that is no whole number: helm refuses that."""
        value = value_at(self.given, path)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def text(self, path: str) -> str | None:
        """The user's own value there; None when there is none or it is empty or no text."""
        value = value_at(self.given, path)
        return value if isinstance(value, str) and value else None

    def says(self, path: str) -> bool:
        """Whether the user's own values have something there, be it empty."""
        return value_at(self.given, path) is not None
