"""One file from a source to a part on a disk, until its digest is right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from manifest import File, has_digest, sha256_of
from problem import DATA, Interrupted, Problem

T = TypeVar("T")
LONGEST_WAIT = 300.0
WRONG_COPIES = 2
"""Whole copies with another digest, after which the source is wrong and not the way."""


class Source(Protocol):
    """Where files come from."""

    @property
    def origin(self) -> dict[str, Any] | None:
        """What a manifest says of the source; None as long as that is not known."""

    def files(self) -> list[File]:
        """All files."""

    def read(self, file: File, part: Path) -> None:
        """Writes what ``part`` lacks. Raises ``Interrupted`` when it may help to try again."""


class Patience:
    """Tries again after a growing while, ``attempts`` times without progress."""

    def __init__(self, attempts: int, sleep: Callable[[float], None]) -> None:
        self._attempts, self._sleep = attempts, sleep
        self._failed = 0

    def progressed(self) -> None:
        self._failed = 0

    def wait(self, problem: Interrupted) -> None:
        """Raises the problem when it is one too many."""
        self._failed += 1
        if self._failed >= self._attempts:
            raise Interrupted(f"{problem} ({self._failed} attempts)") from problem
        seconds = min(max(problem.after_seconds, 2.0**self._failed), LONGEST_WAIT)
        print(f"{problem}; again in {seconds:.0f} s", flush=True)
        self._sleep(seconds)


def patiently(call: Callable[[], T], patience: Patience) -> T:
    """Its result, tried again as long as patience lasts."""
    while True:
        try:
            return call()
        except Interrupted as problem:
            patience.wait(problem)


def fetched(source: Source, file: File, part: Path, patience: Patience) -> str:
    """SHA-256 of ``part``, which is then the whole file. What an earlier pod left of it is kept."""
    wrong = 0
    while True:
        have = _size(part)
        try:
            if have < file.size or not part.exists():
                source.read(file, part)
            sha256 = sha256_of(part)
        except Interrupted as problem:
            if _size(part) > have:
                patience.progressed()
            patience.wait(problem)
            continue
        if _size(part) == file.size and has_digest(part, sha256, file.digest):
            return sha256
        part.unlink()
        wrong += 1
        if wrong == WRONG_COPIES:
            message = f"{file.path} arrived {wrong} times with another checksum than {file.digest or file.size}"
            raise Problem(f"{message}: the source or a proxy on the way is broken; nothing of it was kept", DATA)
        print(f"{file.path}: the checksum is wrong, once more from the start", flush=True)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
