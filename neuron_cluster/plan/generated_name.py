"""A name that the toolkit generates for a resource."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class GeneratedName(Struct, frozen=True):
    path: KeyPath
    """Of the name in the file that it is generated from."""
    resource: str
    """``the node group trn1``."""
    name: str
    limit: str
    """Row of the catalog's limits that it must meet."""
