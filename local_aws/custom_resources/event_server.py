"""The process that events are forked from: it has loaded what they use, and runs nothing of its own.

To start Python and load modules takes ten times as long as an event. An event still is a process with a group, an
environment and a folder of its own; its code is imported there and nowhere else.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from local_aws.custom_resources.forked import PROGRAMS, fork_programs_of, run_forked


def run_handler(arguments: list[str]) -> int:
    """Runs the Lambda's own ``index.handler`` once, in the event's process.

    Arguments: the code's folder and the event's folder, which holds the event and gets the answer.
    """
    code_folder, folder = arguments
    path = os.environ["PATH"]
    fork_programs_of(Path(path))
    sys.path.insert(0, code_folder)
    sys.dont_write_bytecode = True  # the code's folder is shared by events
    if SDK not in sys.modules:
        _import_when_used(SDK)
    function = importlib.import_module("index").handler
    # On import the code puts /opt/helm and the like first, where a machine may hold a real helm.
    os.environ["PATH"] = path
    event = json.loads((Path(folder) / "event.json").read_text(encoding="utf-8"))
    answer = function(event, None)
    (Path(folder) / "answer.json").write_text(json.dumps(answer), encoding="utf-8")
    return 0


def _import_when_used(name: str) -> None:
    """The code imports boto3 at its top, for a fifth of a second, and asks it nothing but where public ECR is.

    ``importlib.util.LazyLoader`` does not help: an import statement asks a lazy module for its spec, which loads it.
    """
    module = sys.modules[name] = types.ModuleType(name)

    def attribute(wanted: str) -> Any:
        if sys.modules.get(name) is module:
            del sys.modules[name]
        return getattr(importlib.import_module(name), wanted)

    module.__dict__["__getattr__"] = attribute


SDK = "boto3"
PRELOADED = ("http.client", "importlib.metadata", "logging", "re", "shutil", "tempfile", "traceback", "yaml", "zipfile")
"""Modules that the code of CDK's kubectl function and the programs import."""


def main(arguments: list[str]) -> int:
    """Argument: the socket on which each message brings the files of an event: its connection and its log."""
    for name in (*PRELOADED, *PROGRAMS.values()):
        importlib.import_module(name)
    gc.freeze()
    with socket.socket(fileno=int(arguments[0])) as control:
        EventServer(control).serve()
    return 0


class EventServer:
    """Forks a process for each connection, which has brought arguments, working folder and environment in one line.

    It brings back the exit status. When its client closes it, the event is ended with all its processes.
    """

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._running: dict[int, socket.socket] = {}
        self._selector = selectors.DefaultSelector()
        self._selector.register(control, selectors.EVENT_READ, self._start)
        self._ended, wakeup = os.pipe()
        os.set_blocking(self._ended, False)
        os.set_blocking(wakeup, False)
        self._selector.register(self._ended, selectors.EVENT_READ, self._reap)
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> None:
        """Returns when the local AWS has closed its end of the socket, or is gone: no event is left then."""
        while self._control.fileno() >= 0 or self._running:
            for key, _ in self._selector.select():
                key.data()

    def _start(self) -> None:
        message, files, _, _ = socket.recv_fds(self._control, 1, 2)
        if not message:
            self._selector.unregister(self._control)
            self._control.close()
            for pid in self._running:
                _kill(pid)
            return
        connection, log = socket.socket(fileno=files[0]), files[1]
        with connection.makefile("rb") as lines:
            request = json.loads(lines.readline())
        if request["uses_sdk"] and SDK not in sys.modules:
            importlib.import_module(SDK)
            gc.freeze()
        pid = os.fork()
        if pid == 0:
            _become_event(request, log)
        os.close(log)
        self._running[pid] = connection
        self._selector.register(connection, selectors.EVENT_READ, lambda: self._cancel(pid))

    def _cancel(self, pid: int) -> None:
        self._selector.unregister(self._running[pid])
        _kill(pid)

    def _reap(self) -> None:
        os.read(self._ended, 4096)
        while ended := _ended_child():
            _kill(ended)  # what the event has started and left behind
            _, status = os.waitpid(ended, 0)
            connection = self._running.pop(ended)
            with contextlib.suppress(KeyError):  # it was cancelled
                self._selector.unregister(connection)
            with contextlib.suppress(OSError):  # the local AWS is gone
                connection.sendall(b"%d" % os.waitstatus_to_exitcode(status))
            connection.close()


def _ended_child() -> int:
    """The process id of a child that has ended, which is not free for others until ``waitpid``; 0 without one."""
    try:
        ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return 0
    return 0 if ended is None else ended.si_pid


def _kill(pid: int) -> None:
    for kill in (os.killpg, os.kill):  # the group, and an event that has not made its group yet
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS: a group of which only zombies are left
            kill(pid, signal.SIGKILL)


def _become_event(request: Mapping[str, Any], log: int) -> NoReturn:
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(log, 2)  # standard output is the server's, which is nowhere: there the function repeats the event
    os.chdir(request["working_folder"])
    run_forked(run_handler, request["arguments"], request["environment"])
