"""Rows of a list of groups that start from a DLAMI."""

from __future__ import annotations

from neuron_cluster.changes.rows.machine import machine_rows
from neuron_cluster.config.change_row import ChangeRow, FieldEffect


def dlami_group_rows(groups: str) -> tuple[ChangeRow, ...]:
    """Returns the rows of the list at ``groups``."""
    return (
        ChangeRow(groups, FieldEffect.DISPOSABLE, "A group is created or deleted."),
        ChangeRow(f"{groups}[].name", FieldEffect.DISPOSABLE, "The group is replaced."),
        ChangeRow(f"{groups}[].dlami", FieldEffect.IN_PLACE, "Instances start with the other image."),
        ChangeRow(f"{groups}[].queue", FieldEffect.NONE, "Nothing."),
        *machine_rows(f"{groups}[]"),
    )
