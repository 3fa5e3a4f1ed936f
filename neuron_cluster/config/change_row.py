"""The effect of an edit of one field of the file on deployed resources: a row of the change table."""

from __future__ import annotations

import enum

from msgspec import Struct


class FieldEffect(enum.Enum):
    """Effect of editing a field, from harmless to destructive."""

    NONE = "no effect"
    IN_PLACE = "in place"
    DISPOSABLE = "replaces or removes something disposable"
    PUBLISHED = "would replace something published, or the cluster"
    STATE = "would replace state"

    @property
    def is_blocked(self) -> bool:
        """Whether `deploy` stops at such an edit."""
        return self in (FieldEffect.PUBLISHED, FieldEffect.STATE)

    def at_least(self, other: FieldEffect) -> bool:
        """Whether this is as bad as ``other``, or worse."""
        order = list(FieldEffect)
        return order.index(self) >= order.index(other)


class ChangeRow(Struct, frozen=True):
    """``path`` is the field's pattern path, ``storage.homes[].size_gib``; ``what`` is one sentence."""

    path: str
    effect: FieldEffect
    what: str
    steps: str = ""
    """How to make the change nevertheless; set when and only when the edit is rejected."""
    depends: bool = False
    """True: ``effect`` is the worst case and many edits do less; the comparison of templates decides each one."""
    seen_in_templates: bool = True
    """False: the edit names another account or Region, and templates of two of them are never compared."""

    growing: FieldEffect | None = None
    """The effect of an edit to a greater number, where it is another one."""

    @property
    def summary(self) -> str:
        """``in place``; ``at worst blocked: would replace state``."""
        text = f"blocked: {self.effect.value}" if self.effect.is_blocked else self.effect.value
        return f"at worst {text}" if self.depends else text
