"""One reason why a pod does not run on a node."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Part = Literal["instance_type", "labels", "taints"]
"""The key of a node group that decides."""


class Misfit(Struct, frozen=True):
    """``reason`` is a clause about the pod, ``part`` what of the node group it is about; ``doubt`` says why it may not
    hold, None where it surely does."""

    reason: str
    part: Part
    doubt: str | None = None
