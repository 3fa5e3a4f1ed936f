"""How a pod of the job ends, and which restarts count.

Exit codes: 0 trained to the end; 75 stopped on demand; 76 a node or a Neuron device was lost, here or elsewhere; 1
failed here or on another node. The job restarts after all but 0, and counts the restart after 1 alone.
"""

from __future__ import annotations

import time

import silence
import stop_channel
from notes import Note
from silence import Silence
from stop_channel import StopChannel

STOPPED = 75
LOST = 76
FAILED = 1
CODES = {Note.SAVE: STOPPED, Note.LOST: LOST, Note.FAILED: FAILED}
LOOK_SECONDS = 10
SHORTEST_SECONDS = 15
"""For the note of a pod whose device failed: its ranks may end after those of others."""


def without_result(channel: StopChannel, *, is_alone: bool) -> Note:
    """Why this pod ends: what it heard, or FAILED, which it leaves for the others unless a lost node explains it.

    Without a shared folder a lost device counts as a failure: nothing could limit such restarts.
    """
    heard = channel.look(LOOK_SECONDS)
    if heard is Note.SAVE or (heard is Note.LOST and channel.is_shared):
        return heard
    channel.leave(Note.FAILED)
    return _explained(channel) if channel.is_shared and not is_alone else Note.FAILED


def _explained(channel: StopChannel) -> Note:
    """Waits until all other pods were seen alive, one is known to be lost, or one is silent."""
    others = Silence(channel, 0)
    begun = time.monotonic()
    while (waited := time.monotonic() - begun) < silence.SILENT_SECONDS + SHORTEST_SECONDS:
        if others.explains_failure() or channel.heard() is Note.LOST:
            return Note.LOST
        if waited > SHORTEST_SECONDS and channel.all_alive_since(begun):
            break
        time.sleep(stop_channel.TICK_SECONDS)
    return Note.FAILED
