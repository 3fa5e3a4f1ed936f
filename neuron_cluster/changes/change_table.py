"""The change table: every field of the environment file, and what an edit of it does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from neuron_cluster.changes.rows.budgets import ENVIRONMENT_BUDGET_ROWS
from neuron_cluster.changes.rows.data_protection import DATA_PROTECTION_ROWS
from neuron_cluster.changes.rows.network import NETWORK_ROWS
from neuron_cluster.changes.rows.observability import OBSERVABILITY_ROWS
from neuron_cluster.changes.rows.storage import STORAGE_ROWS
from neuron_cluster.changes.rows.teams import TEAM_ROWS
from neuron_cluster.changes.rows.top_level import ENVIRONMENT_ROWS
from neuron_cluster.changes.rows.workstations import WORKSTATION_ROWS

if TYPE_CHECKING:
    from neuron_cluster.config.change_row import ChangeRow

ChangeTable = Mapping[str, "ChangeRow"]
"""Rows by pattern path. A test compares the paths with the fields of the model, both ways."""


class RowSource(Protocol):
    """An owner of a section of the file: a provider."""

    def change_rows(self) -> tuple[ChangeRow, ...]:
        """A row for every field of its section."""


def change_rows(sources: Iterable[RowSource]) -> tuple[ChangeRow, ...]:
    """Every row, in the order of the file: sections of providers are between storage and teams."""
    return (
        *ENVIRONMENT_ROWS,
        *NETWORK_ROWS,
        *STORAGE_ROWS,
        *DATA_PROTECTION_ROWS,
        *(row for source in sources for row in source.change_rows()),
        *TEAM_ROWS,
        *ENVIRONMENT_BUDGET_ROWS,
        *WORKSTATION_ROWS,
        *OBSERVABILITY_ROWS,
    )


def change_table(sources: Iterable[RowSource]) -> ChangeTable:
    """The rows by the pattern path of their field."""
    return {row.path: row for row in change_rows(sources)}
