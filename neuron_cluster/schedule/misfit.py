"""One reason why a pod does not run on a node."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Part = Literal["instance_type", "labels", "taints"]
"""The key of a node group that decides."""
Ask = Literal["selector", "affinity", "toleration", "amount", "claim"]
"""The part of the pod that asks for it."""


class Misfit(Struct, frozen=True):
    """``reason`` is a clause about the pod, ``part`` what of the node group it is about, ``ask`` what of the pod;
    ``doubt`` says why it may not hold, None where it surely does."""

    reason: str
    part: Part
    ask: Ask
    doubt: str | None = None
