"""Writes the manifests of checkpoints that a framework has completed: one pod, in a thread beside the training."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from checkpoint_folders import name_of, newest_first
from checkpoint_manifest import MANIFEST, File, InvalidManifest, files_of, part_name, read_manifest, write_manifest

POLL_SECONDS = 10
FINISH_SECONDS = 30
MARKS = ("done", ".metadata")
"""Files that a framework writes last: NxD; PyTorch DCP and TorchTitan."""
ORBAX_METADATA = "_CHECKPOINT_METADATA"
"""Orbax writes it early, but renames the folder to its number at the end."""
SDK = re.compile(r"sdk(\d+\.\d+\.\d+)")


class Nodes(Protocol):
    """Other nodes, which have folders of their own: OtherNodes of node_folders.py."""

    def files(self, name: str, *, checksums: bool) -> list[File]: ...

    def delete(self, name: str) -> None: ...


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
                self._write(step, path, self._parallelism, checksums=self._checksums)

    def _write(self, step: int, path: Path, parallelism: Mapping[str, int], *, checksums: bool) -> None:
        made = write_manifest(
            path, step, parallelism=parallelism, sdk=self._sdk, others=self._of_others(path, checksums=False)
        )
        print(f"neuron-training: {path} is complete: {len(made.files)} files, {made.bytes} bytes", flush=True)
        if checksums and not self._closing.is_set():
            known = {"parallelism": parallelism, "sdk": self._sdk, "completed": made.completed}
            write_manifest(path, step, checksums=True, others=self._of_others(path, checksums=True), **known)

    def _of_others(self, path: Path, *, checksums: bool) -> list[File]:
        """Files of this checkpoint that only other nodes see."""
        del path, checksums
        return []

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


class NodesManifestWriter(ManifestWriter):
    """Collects files of nodes that have folders of their own for the manifest, and deletes them with those here.

    A mark in a checkpoint that was there at the start proves nothing: files of it may never have reached S3.
    """

    def __init__(
        self, folder: Path, parallelism: Mapping[str, int], sdk: str, *, checksums: bool, node: str, others: Nodes
    ) -> None:
        super().__init__(folder, parallelism, sdk, checksums=checksums)
        self._part, self._others = part_name(node), others
        self._earlier = {name_of(folder, path) for _, path in newest_first(folder)}
        self._known = set(self._earlier)

    def write_missing(self) -> None:
        """Raises OSError."""
        present = {name_of(self._folder, path): (step, path) for step, path in newest_first(self._folder)}
        for name, (step, path) in present.items():
            is_new = name not in self._earlier and not (path / MANIFEST).exists() and is_marked(path)
            if is_new or (path / self._part).is_file():
                self._write_of_all(step, path)
                self._known.add(name)
        for name in sorted(self._known - present.keys()):
            self._others.delete(name)
            self._known.remove(name)

    def _write_of_all(self, step: int, path: Path) -> None:
        """The part that the trainer wrote, if it did, knows how the checkpoint is divided."""
        part, parallelism, checksums = path / self._part, self._parallelism, self._checksums
        if part.is_file():
            try:
                own = read_manifest(part.read_text(encoding="utf-8"))
            except (InvalidManifest, UnicodeDecodeError) as problem:
                raise OSError(f"{part} cannot be read: {problem}") from problem
            parallelism, checksums = own.parallelism, checksums or own.has_checksums
        self._write(step, path, parallelism, checksums=checksums)
        part.unlink(missing_ok=True)

    def _of_others(self, path: Path, *, checksums: bool) -> list[File]:
        found = self._others.files(name_of(self._folder, path), checksums=checksums)
        own = {file.path: file for file in files_of(path, checksums=checksums)}
        for file in found:
            same(own.get(file.path, file), file)
        return found


def same(one: File, other: File) -> None:
    """Raises OSError for two files of one name with different content: in S3 the later one replaces the other."""
    if one.size != other.size or (one.crc32 != other.crc32 and -1 not in (one.crc32, other.crc32)):
        raise OSError(f"two nodes have written {one.path}, with different content: only one of them is in S3")
