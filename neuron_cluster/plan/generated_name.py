"""A name that the toolkit generates for a resource."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class GeneratedName(Struct, frozen=True):
    path: KeyPath
    """The key of the name in the file from which it is generated."""
    resource: str
    """``the node group trn1``."""
    name: str
    limit: str
    """Row of the catalog's limits that it must meet."""
