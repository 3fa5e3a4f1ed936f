"""How many instances a compute group has."""

from __future__ import annotations

import enum

from msgspec import Struct


class ScalingKind(enum.Enum):
    """The source of the number of instances."""

    FIXED = "fixed"
    """The file: one instance, or a number that nothing changes."""
    RANGE = "range"
    """The file gives the bounds; people or an autoscaler move within them."""
    ON_DEMAND = "on_demand"
    """The workloads: there may be no bound."""


class Scaling(Struct, frozen=True):
    """Instances of one group: at least, at the first deployment, at most."""

    kind: ScalingKind
    minimum: int
    desired: int
    maximum: int | None
    """None where nothing bounds it, which only ``ScalingKind.ON_DEMAND`` may say."""

    @property
    def may_have_several(self) -> bool:
        """Whether there may be more than one instance."""
        return self.maximum is None or self.maximum > 1

    @property
    def bound(self) -> str:
        """How many instances there may be, to be read before what they are: ``up to 16``."""
        return "any number of" if self.maximum is None else f"up to {self.maximum}"

    def require_maximum(self) -> int:
        """The bound. Raises ``LookupError`` where there is none."""
        if self.maximum is None:
            raise LookupError("the group has no maximum number of instances")
        return self.maximum


ONE_MACHINE = Scaling(ScalingKind.FIXED, 1, 1, 1)
