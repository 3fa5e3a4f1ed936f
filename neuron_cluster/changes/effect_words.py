"""What a row of the change table says about an edit, in a few words for the terminal."""

from __future__ import annotations

from neuron_cluster.changes.change_row import ChangeRow


def effect_words(row: ChangeRow) -> str:
    """``in place``; ``at worst refused: would replace state``."""
    words = f"refused: {row.effect.value}" if row.effect.is_refused else row.effect.value
    return f"at worst {words}" if row.depends else words
