"""The edits of the environment file that `--adopt` writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.drift.records import EnvironmentDrift, FileEditHint
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import listed


class AdoptedValue(Struct, frozen=True):
    """The value of one key, as text of YAML."""

    key: str
    path: KeyPath
    before: str
    after: str
    is_new: bool
    """Whether the file does not have the key."""


def adopted_edits(found: EnvironmentDrift, keys: Sequence[str]) -> list[AdoptedValue]:
    """The edits of these keys, or of all. Raises ``ToolkitError`` for a key that no difference comes from."""
    known = {drift.edit.key: drift.edit for drift in found.drifts if drift.edit is not None}
    if unknown := [key for key in keys if key not in known]:
        hint = f"keys of differences: {listed(known)}" if known else "no difference comes from a key of the file"
        raise ToolkitError(f"--adopt {listed(unknown)}: no difference comes from this key", hint=hint)
    return [_edit(known[key]) for key in (keys or known)]


def _edit(edit: FileEditHint) -> AdoptedValue:
    is_new = edit.before is None
    after = _text(edit.after) if is_new else _plain(edit.after)
    return AdoptedValue(edit.key, edit.path, "" if is_new else str(edit.before), after, is_new)


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _text(value: Any) -> str:
    """A text that YAML would read as something else is quoted."""
    return json.dumps(value) if isinstance(value, str) and not value.replace("_", "a").isalpha() else _plain(value)
