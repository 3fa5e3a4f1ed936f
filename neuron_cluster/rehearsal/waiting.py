"""The wait for the next event of a rehearsal: a program that ends or reports, or an action that is due."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator

from neuron_cluster.rehearsal.agenda import Agenda
from neuron_cluster.rehearsal.clock import Clock

LONGEST_LOOK_SECONDS, SHORT_LOOK_SECONDS = 0.005, 0.002
"""Here, between two looks at the programs: while all wait, and while one computes, which is mostly over at once."""


def block_child_signals() -> None:
    """Before the first wait, which takes these signals itself."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})


def wait_for_next(
    clock: Clock, agenda: Agenda, limit_seconds: float, *, has_programs: bool, is_computing: Callable[[], bool]
) -> bool:
    """Returns False when there can be none. The caller looks at programs and agenda afterwards."""
    moment = agenda.next_moment
    if not has_programs:
        if moment is None:
            return False
        clock.jump_to(min(moment, limit_seconds))
        return True
    computing = is_computing()
    clock.pass_slowly(slowly=computing)
    look = SHORT_LOOK_SECONDS if computing else LONGEST_LOOK_SECONDS
    seconds = clock.seconds_until(moment) if moment is not None else look
    signal.sigtimedwait({signal.SIGCHLD}, min(seconds, look))
    return True


def ended_children() -> Iterator[tuple[int, int]]:
    """Yields process and exit code of each child of this process that has ended."""
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if process == 0:
            return
        yield process, os.waitstatus_to_exitcode(status)
