"""One row of the change table: what an edit of one field does to what is deployed."""

from __future__ import annotations

import enum

from msgspec import Struct


class FieldEffect(enum.Enum):
    """The worst that an edit of a field can do, the harmless first."""

    NONE = "no effect"
    IN_PLACE = "in place"
    DISPOSABLE = "replaces or removes something disposable"
    PUBLISHED = "would replace something published, or the cluster"
    STATE = "would replace state"

    @property
    def is_refused(self) -> bool:
        """Whether `deploy` stops at such an edit."""
        return self in (FieldEffect.PUBLISHED, FieldEffect.STATE)

    def at_least(self, other: FieldEffect) -> bool:
        """Whether this is as bad as ``other``, or worse."""
        order = list(FieldEffect)
        return order.index(self) >= order.index(other)


class ChangeRow(Struct, frozen=True):
    """``path`` is the field's pattern path, ``eks.node_groups[].count.max``; ``what`` is one sentence."""

    path: str
    effect: FieldEffect
    what: str
    steps: str = ""
    """How to get there nevertheless; said when and only when the edit is refused."""
    depends: bool = False
    """True: ``effect`` is the worst case and many edits do less; the comparison of templates decides each one."""
    seen_in_templates: bool = True
    """False: the edit names another place, and templates of two places are never compared."""
