"""Runs a rehearsal in a process, network and mount namespace of its own: nothing of it stays when it ends."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import traceback
from collections.abc import Callable

from neuron_cluster.errors import ToolkitError
from neuron_cluster.rehearsal import namespaces
from neuron_cluster.rehearsal.namespaces import Namespace

DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def require_support() -> None:
    """Raises ``ToolkitError`` where this machine cannot run containers."""
    reason = namespaces.why_unsupported()
    if reason is not None:
        raise ToolkitError(
            f"this machine cannot rehearse a workload: {reason}",
            hint="run it on Linux, as a user who may create user namespaces, and not in a container that forbids them",
        )


def run_isolated(work: Callable[[], bytes]) -> bytes:
    """Returns the result of ``work``, the first process of its namespace: when it ends, all others are killed.

    Raises ``RuntimeError`` when it fails; its traceback is on standard error.
    """
    reading, writing = os.pipe()
    outer = os.fork()
    if outer == 0:
        os.close(reading)
        _leave_with(lambda: _enter(work, writing))
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as results:
            result = results.read()
    finally:
        os.kill(outer, signal.SIGKILL)
        os.waitpid(outer, 0)
    if not result:
        raise RuntimeError("the rehearsal ended without a result")
    return result


def _leave_with(work: Callable[[], int]) -> None:
    """Ends this process with the status of ``work``; it never runs the code of its parent."""
    status = 1
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # the parent ends this process
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
        status = work()
    except BaseException:  # noqa: BLE001  the process ends here, whatever it was
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _enter(work: Callable[[], bytes], results: int) -> int:
    user, group = os.geteuid(), os.getegid()
    namespaces.unshare(Namespace.USER | Namespace.MOUNT | Namespace.PROCESS | Namespace.NETWORK)
    namespaces.map_user(0, user, 0, group)
    namespaces.keep_mounts_private()
    namespaces.raise_loopback()
    first = os.fork()
    if first == 0:
        _leave_with(lambda: _run(work, results))
    os.close(results)
    return os.waitstatus_to_exitcode(os.waitpid(first, 0)[1])


def _run(work: Callable[[], bytes], results: int) -> int:
    namespaces.mount_processes(namespaces.PROC)
    with os.fdopen(results, "wb") as stream:
        stream.write(work())
    return 0
