"""Steps of an upgrade to another Neuron SDK release, in addition to instances and edits of the file."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.commands import Command


class UpgradeStep(Struct, frozen=True):
    """One key of the file that `upgrade` does not edit. Commands are in their general form (``findings.commands``)."""

    path: KeyPath
    what: str
    """The present value of the key, and the available one."""
    then: str
    """The step of the user."""
    before_deploy: tuple[Command, ...] = ()
    """Commands to run between `lock` and `diff`."""
