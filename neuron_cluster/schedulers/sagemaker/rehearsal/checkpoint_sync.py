"""The checkpoint folder of one host, and the S3 prefix that all hosts of the job share.

Objects of the prefix are copied to the folder before the container starts, later ones never. What the container writes
is copied to S3 while it runs and at its end; what it deletes is deleted in S3, too. Source:
https://docs.aws.amazon.com/sagemaker/latest/dg/model-checkpoints.html. No source has the times: SageMaker copies in the
background, here every ``sync`` seconds, each host at another moment, and in no time. Whether a file that the host only
downloaded is deleted in S3 with it is not documented either; here it is, which is worse for the job.
"""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.schedulers.sagemaker.rehearsal.store import copy, delete, download, files_below

State = tuple[int, int]
"""Size and time of the last change in nanoseconds."""


class CheckpointSync:
    """``folder`` is the host's own, ``prefix`` that of the job."""

    def __init__(self, folder: Path, prefix: Path) -> None:
        self._folder, self._prefix = folder, prefix
        self._copied: dict[str, State] = {}

    def download(self) -> None:
        """Before the container starts."""
        download(self._prefix, self._folder)
        self._copied = self._present()

    def upload(self) -> tuple[int, int]:
        """Copies what has changed since the last time. Returns the numbers of files that were copied and deleted."""
        present = self._present()
        changed = [name for name, state in present.items() if self._copied.get(name) != state]
        copied = 0
        for name in changed:
            try:
                copy(self._folder / name, self._prefix / name)
            except FileNotFoundError:  # the container has renamed it meanwhile
                present.pop(name)
            else:
                copied += 1
        deleted = self._copied.keys() - present.keys()
        for name in deleted:
            delete(self._prefix / name, self._prefix)
        self._copied = present
        return copied, len(deleted)

    def _present(self) -> dict[str, State]:
        found = {}
        for name, path in files_below(self._folder).items():
            try:
                state = path.stat()
            except FileNotFoundError:
                continue
            found[name] = (state.st_size, state.st_mtime_ns)
        return found
