"""The state of the KMS keys of an environment: without one, what it encrypts cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.kms import key_state
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.findings.text import counted
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error, healthy

KEY = "AWS::KMS::Key"
ENABLED = "Enabled"
REPAIRS = {"PendingDeletion": "kms cancel-key-deletion", "Disabled": "kms enable-key"}
"""Commands that lead out of a state; a key whose deletion is cancelled is disabled."""


def key_lines(query: StatusQuery) -> Iterator[StatusLine]:
    """Yields one line for all keys that are enabled, and one for each other."""
    existing = query.plan.storage.key_arn if query.plan.storage is not None else None
    keys = [] if existing is None else [existing]
    for stack_key in query.plan.stacks:
        held = query.held.ids(stack_key, KEY)
        if isinstance(held, NotRead):
            yield query.not_read(f"keys of the stack {query.plan.stack_name(stack_key)}", held)
        else:
            keys += held
    lines = [line for key_id in keys if (line := _line(query, key_id)) is not None]
    yield from lines
    if len(lines) < len(keys):
        yield healthy("keys", f"{counted(len(keys) - len(lines), 'KMS key')} enabled")


def _line(query: StatusQuery, key_id: str) -> StatusLine | None:
    """None for an enabled key."""
    subject = f"key {key_id}"
    found = reading("kms", lambda: key_state(query.access.target, key_id))
    if isinstance(found, NotRead):
        return query.not_read(subject, found)
    if found == ENABLED:
        return None
    command = query.access.aws_command(REPAIRS.get(found or "", "kms describe-key"), key_id=key_id)
    if found is None:
        return error(subject, "the key does not exist: what it encrypts cannot be read again", command)
    return error(subject, f"it is {found}: what it encrypts cannot be read", command)
