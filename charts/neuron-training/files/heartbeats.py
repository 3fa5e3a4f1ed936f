"""Which pods of the attempt are alive, by the BEAT notes that each of them writes again and again.

Only this pod's own clock counts: a pod is silent when no new BEAT of it was seen for a while, although the folder was
looked at all the time. One that never wrote a BEAT, or left QUIET, is not judged.
"""

from __future__ import annotations

from collections.abc import Iterable

from notes import Entry, Note, NoteFolder

BEAT_SECONDS = 15
GAP_SECONDS = 30
"""Between two looks: longer ones mean that the volume hung, for the other pods perhaps too."""


class Heartbeats:
    """Of all pods but this one. Times are those of time.monotonic()."""

    def __init__(self, own: str) -> None:
        self._own = own
        self._newest: dict[str, int] = {}
        self._seen_at: dict[str, float] = {}
        self._quiet: frozenset[str] = frozenset()
        self._looked_at: float | None = None

    def observe(self, entries: Iterable[Entry], now: float) -> None:
        """Takes in what the folder holds at this moment. What other threads read is replaced, not changed."""
        hung = self._looked_at is not None and now - self._looked_at > GAP_SECONDS
        seen_at = dict.fromkeys(self._seen_at, now) if hung else dict(self._seen_at)
        for entry in entries:
            if entry.note is Note.QUIET:
                self._quiet |= {entry.pod}
            elif entry.note is Note.BEAT and entry.at > self._newest.get(entry.pod, 0):
                self._newest[entry.pod] = entry.at
                seen_at[entry.pod] = now
        self._looked_at, self._seen_at = now, seen_at

    def silent(self, seconds: float) -> list[str]:
        """Pods that have been silent for longer than this, at the last look."""
        return [pod for pod, seen_at in self._judged() if (self._looked_at or 0) - seen_at > seconds]

    def all_alive_since(self, moment: float) -> bool:
        return all(seen_at > moment for _, seen_at in self._judged())

    def _judged(self) -> list[tuple[str, float]]:
        return sorted(item for item in self._seen_at.items() if item[0] != self._own and item[0] not in self._quiet)


class Pulse:
    """The BEAT notes of this pod. Each call can raise OSError."""

    def __init__(self, folder: NoteFolder) -> None:
        self._folder = folder
        self._next = 0.0
        self._is_quiet = False

    def beat(self, now: float) -> None:
        """Writes a BEAT when it is time. Where nothing may be deleted, as on many S3 mounts, this pod is quiet."""
        if self._is_quiet or now < self._next:
            return
        self._next = now + BEAT_SECONDS
        try:
            self._folder.beat()
        except PermissionError:
            self.end()

    def end(self) -> None:
        """The last note: this pod is not to be judged any more."""
        if not self._is_quiet:
            self._is_quiet = True
            self._folder.write(Note.QUIET)
