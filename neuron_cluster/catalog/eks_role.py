"""AWS managed policies of the roles of EKS nodes and of EKS Auto Mode."""

from __future__ import annotations

import functools

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class EksRole(SourcedRow, frozen=True, kw_only=True):
    """One role."""

    managed_policies: FrozenMap[str, str]
    """The reason for each policy, by its name."""
    built_in_node_pools: tuple[str, ...] = ()
    """Built-in node pools of Auto Mode; each includes the default node class, which custom pools can use."""


@functools.cache
def eks_roles() -> FrozenMap[str, EksRole]:
    """All roles by name."""
    return read_rows(DATA_DIRECTORY / "eks_roles.yaml", EksRole)


def eks_role(name: str) -> EksRole:
    """The role of this name. Code writes it, not a user: raises ``LookupError`` for an unknown one."""
    row = eks_roles().get(name)
    if row is None:
        raise LookupError(f"the catalog has no role {name}")
    return row
