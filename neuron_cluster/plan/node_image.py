"""An AMI that a provider's nodes start from and no service chooses."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class NodeImage(Struct, frozen=True, kw_only=True):
    """The AMI of the file, that of the lock, or one that is still to be built."""

    path: KeyPath
    """The key that names it, or would."""
    image_id: str | None
    """None where neither the file nor the lock has one."""
    is_locked: bool
    """Whether the lock has it, else the file."""
    parent_kind: str
    """Kind of Deep Learning AMI that it is built from."""
    parent: str | None
    """AMI id of the Deep Learning AMI; None for an AMI of the file, of which only the kind is known."""
    software: Mapping[str, str]
    """Software that the AMI has in addition to the Deep Learning AMI, by name; an AMI of the file must have it."""
    groups: tuple[str, ...]
    """Names of the groups that start from it."""
