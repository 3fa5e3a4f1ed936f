"""The snapshot file of a local AWS that is kept running: restored at its start, written at its end."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_cluster.errors import ToolkitError

if TYPE_CHECKING:
    from local_aws.server import LocalAws


def restore_if_there(aws: LocalAws, path: Path, *, is_fresh_account: bool) -> bool:
    """Whether the file was there, whose state the local AWS then has. Raises ``ToolkitError``."""
    from local_aws.snapshot.archive import require_place

    with _understandable():
        if not path.exists():
            require_place(path.absolute())
            return False
        aws.restore(path)
    if is_fresh_account and not aws.store.is_fresh_account:
        hint = "leave --fresh-account away, or name a file that does not exist yet"
        raise ToolkitError(f"{path} has accounts that were not started with --fresh-account", hint=hint)
    return True


def write_at_end(aws: LocalAws, path: Path) -> None:
    """Raises ``ToolkitError``; a file that was there is then unchanged."""
    with _understandable():
        aws.snapshot(path)


@contextlib.contextmanager
def _understandable() -> Iterator[None]:
    from local_aws.snapshot.archive import SnapshotError

    try:
        yield
    except SnapshotError as error:
        raise ToolkitError(error.message, hint=error.hint) from error
