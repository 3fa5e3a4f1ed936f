"""Pods that no longer show that they are alive: in the log at first, and lost in the end."""

from __future__ import annotations

from notes import Note
from stop_channel import StopChannel

SILENT_SECONDS = 60
"""A pod that was silent for so long is lost if ranks of others fail. Alone it says little: volumes can be slow."""


class Silence:
    """Of the other pods. After ``limit_seconds`` a silent one is lost, whatever the ranks here do; 0 means never."""

    def __init__(self, channel: StopChannel, limit_seconds: int) -> None:
        self._channel = channel
        self._limit_seconds = limit_seconds
        self._reported: set[str] = set()

    def look(self) -> Note | None:
        """LOST, for the other pods too, when one has been silent for too long: its peers would wait for it in vain."""
        self._report(self._channel.silent(SILENT_SECONDS))
        if self._limit_seconds and self._channel.silent(self._limit_seconds):
            self._channel.leave(Note.LOST)
            return Note.LOST
        return None

    def explains_failure(self) -> bool:
        """Whether a pod is silent; then it is lost."""
        silent = self._channel.silent(SILENT_SECONDS)
        self._report(silent)
        if silent:
            self._channel.leave(Note.LOST)
        return bool(silent)

    def _report(self, silent: list[str]) -> None:
        for pod in silent:
            if pod not in self._reported:
                print(f"neuron-training: no sign of life of {pod} for {SILENT_SECONDS} s", flush=True)
        self._reported = set(silent)
