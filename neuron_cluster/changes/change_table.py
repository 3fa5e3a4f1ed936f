"""The change table: every field of the environment file, and what an edit of it does."""

from __future__ import annotations

from types import MappingProxyType

from neuron_cluster.changes.effects import ChangeRow
from neuron_cluster.changes.rows.eks import EKS_ROWS
from neuron_cluster.changes.rows.environment import ENVIRONMENT_ROWS
from neuron_cluster.changes.rows.network import NETWORK_ROWS
from neuron_cluster.changes.rows.observability import OBSERVABILITY_ROWS
from neuron_cluster.changes.rows.storage import STORAGE_ROWS
from neuron_cluster.changes.rows.workstations import WORKSTATION_ROWS

CHANGE_ROWS: tuple[ChangeRow, ...] = (
    *ENVIRONMENT_ROWS,
    *NETWORK_ROWS,
    *STORAGE_ROWS,
    *EKS_ROWS,
    *WORKSTATION_ROWS,
    *OBSERVABILITY_ROWS,
)

CHANGE_TABLE = MappingProxyType({row.path: row for row in CHANGE_ROWS})
"""By pattern path. A test compares the paths with the fields of the model, both ways."""
