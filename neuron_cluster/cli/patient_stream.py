"""Standard output of a command that continues after its reader has ended (``deploy NAME | head``)."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO, cast


class PatientStream:
    """A text stream that drops what is written after its reader has ended, and reports it once on standard error."""

    def __init__(self, stream: TextIO, verb: str) -> None:
        self._stream = stream
        self._verb = verb

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._go_on()
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._go_on()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _go_on(self) -> None:
        silence(self._stream)
        sentence = f"Standard output was closed. The {self._verb} continues; this command exits with its result.\n"
        try:
            sys.stderr.write(sentence)
            sys.stderr.flush()
        except BrokenPipeError:
            silence(sys.stderr)


@contextlib.contextmanager
def outliving_the_reader(verb: str) -> Iterator[None]:
    """Inside, a closed pipe does not end the command half-way through its changes."""
    before = sys.stdout
    sys.stdout = cast("TextIO", PatientStream(before, verb))
    try:
        yield
    finally:
        sys.stdout = before


def silence(stream: TextIO) -> None:
    """From now on what is written there is dropped; Python's own last flush would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
