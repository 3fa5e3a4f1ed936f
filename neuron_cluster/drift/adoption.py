"""The edits of the environment file that `--adopt` writes."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.drift.records import EnvironmentDrift, FileEditHint
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import listed


def adopted_edits(found: EnvironmentDrift, keys: Sequence[str]) -> list[FileEditHint]:
    """The edits of these keys, or of all. Raises ``ToolkitError`` for a key that no difference comes from."""
    known = {drift.edit.key: drift.edit for drift in found.drifts if drift.edit is not None}
    if unknown := [key for key in keys if key not in known]:
        hint = f"keys of differences: {listed(known)}" if known else "no difference comes from a key of the file"
        raise ToolkitError(f"--adopt {listed(unknown)}: no difference comes from this key", hint=hint)
    return [known[key] for key in (keys or known)]
