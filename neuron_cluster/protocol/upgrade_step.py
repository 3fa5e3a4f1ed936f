"""What an upgrade to another Neuron SDK release means for a cluster beside its instances and the edits of the file."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.commands import Command


class UpgradeStep(Struct, frozen=True):
    """One key of the file that `upgrade` does not edit. Commands are in their general form (``findings.commands``)."""

    path: KeyPath
    what: str
    """What the key stands for now, and what there is."""
    then: str
    """What to do."""
    before_deploy: tuple[Command, ...] = ()
    """Commands to run between `lock` and `diff`."""
