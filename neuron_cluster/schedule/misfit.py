"""One reason why a pod does not run on a node."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Part = Literal["instance_type", "labels", "taints"]
"""The key of a node group that decides."""
Ask = Literal["selector", "affinity", "toleration", "claim", "amount", "resource"]
"""The part of the pod that asks for it: ``amount`` more of a resource than a node has, ``resource`` one it has not."""


class UnschedulableReason(Struct, frozen=True):
    """``reason`` is a clause about the pod, ``part`` what of the node group it is about, ``ask`` what of the pod, and
    ``way`` what to do about that; ``doubt`` says why it may not hold, None where it surely does."""

    reason: str
    part: Part
    ask: Ask
    way: str
    doubt: str | None = None
