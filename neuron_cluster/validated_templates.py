"""The record of templates in which CDK's validation has found nothing, on this machine, by digest.

The digest covers the release of CDK, the account and the Region that CDK's validation reads, and the bytes of the
template. The record is in the home of the user. A record that another user could have written, that is truncated or
that is of another release has no effect: its templates are validated again. A record that cannot be written is not an
error.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from neuron_cluster.atomic_write import write_atomically
from neuron_cluster.errors import ToolkitError

RECORD = Path(".cache", "neuron-cluster-toolkit", "validated-templates.json")
"""The path of the record below the home of the user."""
MAX_RECORDED = 1000
"""Digests; those that were recorded first are removed first."""
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def record_of_user() -> Path:
    """Returns the path of the user's record, which need not exist."""
    return Path(os.path.expanduser("~"), RECORD)  # noqa: PTH111 - never raises


def template_digest(release: str, account: str | None, region: str | None, template: bytes) -> str:
    """Returns the digest of everything that decides what CDK's validation finds in a template."""
    inputs = json.dumps([release, account, region]).encode()
    return hashlib.sha256(inputs + b"\n" + template).hexdigest()


def validated_digests(record: Path, release: str) -> list[str]:
    """Returns the digests of valid templates, in the order in which they were recorded."""
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError, RecursionError):
        with record.open("rb") as file:
            if not _is_private(os.fstat(file.fileno())):
                return []
            document = json.loads(file.read())
        if document["aws-cdk-lib"] == release:
            return [digest for digest in document["valid"] if isinstance(digest, str)]
    return []


def record_validated(record: Path, release: str, digests: Iterable[str]) -> None:
    """Adds digests of valid templates to the record, which is written completely or not at all."""
    valid = [*dict.fromkeys((*validated_digests(record, release), *digests))][-MAX_RECORDED:]
    document = {"aws-cdk-lib": release, "valid": valid}
    with contextlib.suppress(OSError, ToolkitError):
        record.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if record.exists() and not _is_private(record.stat()):
            record.unlink()  # an existing file would keep its mode
        write_atomically(record, json.dumps(document, indent=1).encode() + b"\n")
        record.chmod(0o600)


def _is_private(status: os.stat_result) -> bool:
    """Whether only this user can write the file."""
    return status.st_uid == os.geteuid() and not status.st_mode & WRITABLE_BY_OTHERS
