"""Writes the manifests of checkpoints that a framework has completed: one pod, in a thread beside the training."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from checkpoint_folders import newest_first
from checkpoint_manifest import MANIFEST, write_manifest

POLL_SECONDS = 10
FINISH_SECONDS = 30
MARKS = ("done", ".metadata")
"""Files that a framework writes last: NxD; PyTorch DCP and TorchTitan."""
ORBAX_METADATA = "_CHECKPOINT_METADATA"
"""Orbax writes it early, but renames the folder to its number at the end."""
SDK = re.compile(r"sdk(\d+\.\d+\.\d+)")


def is_marked(path: Path) -> bool:
    """Whether the framework that wrote it calls this checkpoint complete."""
    if any((path / mark).is_file() for mark in MARKS):
        return True
    return path.name.isdecimal() and (path / ORBAX_METADATA).is_file()


class ManifestWriter:
    """Looks for complete checkpoints without a manifest. With ``checksums`` a second manifest follows the first."""

    def __init__(self, folder: Path, parallelism: Mapping[str, int], sdk: str, *, checksums: bool) -> None:
        self._folder, self._parallelism, self._sdk, self._checksums = folder, parallelism, sdk, checksums
        self._closing = threading.Event()
        self._said = ""
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def finish(self, timeout_seconds: float = FINISH_SECONDS) -> None:
        """After the last save: writes what is missing, but waits for no volume that does not answer, nor checksums."""
        self._closing.set()
        self._thread.join(timeout_seconds)

    def write_missing(self) -> None:
        """Raises OSError."""
        for step, path in newest_first(self._folder):
            if not (path / MANIFEST).exists() and is_marked(path):
                self._write(step, path)

    def _write(self, step: int, path: Path) -> None:
        made = write_manifest(path, step, parallelism=self._parallelism, sdk=self._sdk)
        print(f"neuron-training: {path} is complete: {len(made.files)} files, {made.bytes} bytes", flush=True)
        if self._checksums and not self._closing.is_set():
            known = {"parallelism": self._parallelism, "sdk": self._sdk, "completed": made.completed}
            write_manifest(path, step, checksums=True, **known)

    def _serve(self) -> None:
        is_last = False
        while not is_last:
            is_last = self._closing.wait(POLL_SECONDS)
            try:
                self.write_missing()
            except FileNotFoundError:
                continue  # the framework deletes an old checkpoint
            except OSError as problem:
                if str(problem) != self._said:
                    self._said = str(problem)
                    print(f"neuron-training: a manifest is not written: {problem}", file=sys.stderr, flush=True)
