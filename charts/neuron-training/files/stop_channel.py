"""How the pods of one job tell each other to stop.

A drain reaches one pod, but a checkpoint needs every rank of every node. So the pod that is told to stop leaves a note
(notes.py), and all others look for notes every few seconds. A thread does this: a volume that is full, was remounted or
does not answer must not keep a pod from hearing its own SIGTERM.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

import volume
from heartbeats import Heartbeats, Pulse
from notes import Entry, Note, NoteFolder

POLL_SECONDS = 5
"""Between two looks at the folder: on an S3 mount each one is a LIST request."""
TICK_SECONDS = 0.5
REPORT_SECONDS = 60
HEARD = (Note.LOST, Note.FAILED, Note.SAVE)
"""What pods act on, the strongest first."""


class Stopped(Exception):
    """A pod of this attempt was told to stop, or has failed."""


class StopChannel:
    """Notes in ``folder``; without a folder (no shared volume) a pod hears its own notes only.

    ``cleans``: this pod deletes notes of earlier attempts. ``beats``: it shows the others that it is alive.
    """

    def __init__(self, folder: Path | None, pod: str, *, cleans: bool = False, beats: bool = False) -> None:
        self.is_shared = folder is not None
        self.earlier: list[Entry] = []
        """Notes of earlier attempts, once the folder is open."""
        self._heartbeats = Heartbeats(pod)
        self._own: set[Note] = set()
        self._heard: set[Note] = set()
        self._unwritten: deque[Note] = deque()
        self._opened = threading.Event()
        self._closing = threading.Event()
        self._problem: OSError | None = None
        self._reported_at: float | None = None
        self._looks_wanted = self._looks_begun = self._looks_ended = 0
        self._thread: threading.Thread | None = None
        if folder is None:
            self._opened.set()
        else:
            work = (NoteFolder(folder, pod), cleans, beats)
            self._thread = threading.Thread(target=self._serve, args=work, daemon=True)
            self._thread.start()

    def leave(self, note: Note) -> None:
        """Tells all pods of this attempt, once. Returns at once: signal handlers call it."""
        if note not in self._own:
            self._own.add(note)
            self._unwritten.append(note)

    def heard(self) -> Note | None:
        """What the pods of this attempt were told. A failure makes a save vain; a lost node explains failures."""
        notes = self._heard | self._own
        return next((note for note in HEARD if note in notes), None)

    def silent(self, seconds: float) -> list[str]:
        """Other pods without a sign of life for longer than this."""
        return self._heartbeats.silent(seconds)

    def all_alive_since(self, moment: float) -> bool:
        """Whether each other pod that shows signs of life has done so since this moment of time.monotonic()."""
        return self._heartbeats.all_alive_since(moment)

    def check(self) -> None:
        """For loops that wait. Raises Stopped."""
        if self.heard():
            raise Stopped

    def await_open(self, timeout_seconds: float) -> None:
        """Returns once the folder can be used, or a stop is heard. Raises OSError, TimeoutError if it takes longer."""
        deadline = time.monotonic() + timeout_seconds
        while not self._opened.wait(TICK_SECONDS) and self.heard() is None:
            if time.monotonic() > deadline:
                raise self._problem or TimeoutError("the checkpoint volume does not answer")
        if not self._opened.is_set():
            return
        if self._problem:
            raise self._problem

    def look(self, timeout_seconds: float) -> Note | None:
        """What is heard by a look that begins now; by the last one where the volume does not answer in time."""
        deadline = time.monotonic() + timeout_seconds
        self._looks_wanted = wanted = self._looks_begun + 1
        while self._is_served() and self._looks_ended < wanted and time.monotonic() < deadline:
            time.sleep(TICK_SECONDS)
        return self.heard()

    def close(self, timeout_seconds: float = 10) -> None:
        """Waits until the notes of this pod are written, but not for a volume that does not answer."""
        self._closing.set()
        if self._thread:
            self._thread.join(timeout_seconds)

    def _is_served(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _serve(self, folder: NoteFolder, cleans: bool, beats: bool) -> None:
        try:
            is_usable = self._open(folder)
        finally:
            self._opened.set()
        if not is_usable:
            return
        if cleans:
            folder.delete_old()
        pulse = Pulse(folder)
        is_last = False
        while not is_last:
            is_last = self._closing.is_set()
            self._attempt(lambda: self._write(folder))
            if beats:
                self._attempt(pulse.end if is_last else lambda: pulse.beat(time.monotonic()))
            self._attempt(lambda: self._look(folder))
            self._pause()

    def _open(self, folder: NoteFolder) -> bool:
        """Waits while the volume is out of order."""
        while True:
            try:
                folder.open()
                self.earlier = folder.earlier()
            except OSError as problem:
                self._problem = problem
                if not volume.is_passing(problem):
                    return False
                self._report(problem)
            else:
                self._problem = None
                return True
            if self._closing.wait(volume.RETRY_SECONDS):
                return False

    def _pause(self) -> None:
        """Until the next look, or until this pod has something to tell or wants to know."""
        until = time.monotonic() + POLL_SECONDS
        is_idle = True
        while is_idle and not self._closing.is_set():
            time.sleep(TICK_SECONDS)
            is_idle = time.monotonic() < until and not self._unwritten and self._looks_begun >= self._looks_wanted

    def _attempt(self, work: Callable[[], None]) -> None:
        try:
            work()
        except OSError as problem:
            self._report(problem)

    def _write(self, folder: NoteFolder) -> None:
        while self._unwritten:
            folder.write(self._unwritten[0])
            self._unwritten.popleft()

    def _look(self, folder: NoteFolder) -> None:
        self._looks_begun += 1
        try:
            entries = folder.read()
            self._heard = {entry.note for entry in entries}
            self._heartbeats.observe(entries, time.monotonic())
        finally:
            self._looks_ended = self._looks_begun

    def _report(self, problem: OSError) -> None:
        now = time.monotonic()
        if self._reported_at is None or now - self._reported_at > REPORT_SECONDS:
            self._reported_at = now
            print(f"neuron-training: pods cannot tell each other to stop: {problem}", file=sys.stderr, flush=True)
