"""How something that holds data leaves the file."""

from __future__ import annotations

from neuron_cluster.findings.commands import Command

REMOVE = (
    f"Copy what you need, then `{Command.DESTROY_WITH_DATA}` removes the environment with its data; "
    "deploy the file without this key after it."
)
