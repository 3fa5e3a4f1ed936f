"""Python programs of a rehearsal: their clock, the address of their pod, and file systems that fail on request.

Python imports this module at its start, because PYTHONPATH has its folder. ``REHEARSAL_CLOCK`` is the file of the clock
(clock.py has the layout), by which sleeps and time-outs are shorter here; ``REHEARSAL_ADDRESS`` is the address of the
pod; ``REHEARSAL_FAULTS`` a folder with the faults that the program meets.
"""

from __future__ import annotations

import errno
import mmap
import os
import select
import selectors
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SHORTEST_SLEEP, LONGEST_SLEEP = 0.004, 0.02
"""Seconds here. A loop that looks every few milliseconds would keep the processor busy; the rate of time may change."""
SLOWEST = 20.0
"""Seconds of the rehearsal in one second here, at least; as clock.py has it."""
LAYOUT = struct.Struct("=q4d")
ANY_ADDRESS = "0.0.0.0"  # noqa: S104  compared with, never listened at
OUTSIDE_SUFFIX = ".rehearsal"
LOOPBACK = ("127.0.0.1", "localhost")
"""Names of the pod's own address: its containers share an address here too."""
WATCHED = {"open", "os.listdir", "os.scandir", "os.mkdir", "os.remove", "os.rename", "os.utime"}
"""Audit events of calls on files (sys.addaudithook); ``stat`` has none."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
TOKEN = Path("/var/run/secrets/kubernetes.io/serviceaccount/token")
"""Mounted where the pod's program may call the Kubernetes API."""
FILE_TIMES = ("st_atime", "st_mtime", "st_ctime")


class RehearsedTime:
    """The time of the rehearsal, and how long a part of it is here."""

    def __init__(self, file: str) -> None:
        with Path(file).open("rb") as opened:
            self._shared = mmap.mmap(opened.fileno(), LAYOUT.size, prot=mmap.PROT_READ)
        self._monotonic, self._sleep, self._time = time.monotonic, time.sleep, time.time

    def monotonic(self) -> float:
        rate, here, then, _ = self._read()
        return then + (self._monotonic() - here) * rate

    def time(self) -> float:
        return self._read()[3] + self.monotonic()

    def sleep(self, seconds: float) -> None:
        """In short parts."""
        end = self.monotonic() + seconds
        while (left := (end - self.monotonic()) / self._read()[0]) > 0:
            self._sleep(min(max(left, SHORTEST_SLEEP), LONGEST_SLEEP))

    def wait(self, look: Callable[[float | None], Any], seconds: float | None) -> Any:
        """Returns what ``look`` finds within ``seconds`` of the clock. Looks in short parts, as the rate may change."""
        if seconds is None or seconds <= 0:
            return look(seconds)
        end = self.monotonic() + seconds
        while (left := (end - self.monotonic()) / self._read()[0]) > 0:
            found = look(min(max(left, SHORTEST_SLEEP), LONGEST_SLEEP))
            if found:
                return found
        return look(0)

    def of_file(self, stamp: float) -> float:
        """A time stamp of a file system, which has the time of this machine. Right for a file of a short time ago."""
        return self.time() - (self._time() - stamp) * self._read()[0]

    def _read(self) -> tuple[float, float, float, float]:
        while True:
            changes, *values = LAYOUT.unpack_from(self._shared)
            if changes % 2 == 0 and LAYOUT.unpack_from(self._shared)[0] == changes:
                rate, here, then, start = values
                return rate, here, then, start


def use_time(rehearsed: RehearsedTime) -> None:
    clocks: Any = time
    clocks.monotonic = clocks.perf_counter = rehearsed.monotonic
    clocks.time, clocks.sleep = rehearsed.time, rehearsed.sleep
    clocks.monotonic_ns = clocks.perf_counter_ns = lambda: int(rehearsed.monotonic() * 1e9)
    clocks.time_ns = lambda: int(rehearsed.time() * 1e9)
    threads: Any = threading
    threads._time = rehearsed.monotonic  # noqa: SLF001  its own name for the clock, bound at import
    shorten_waits(rehearsed)
    files: Any = os
    for name in ("stat", "lstat", "fstat"):
        setattr(files, name, with_rehearsed_times(getattr(os, name), rehearsed))


def shorten_waits(rehearsed: RehearsedTime) -> None:
    condition: Any = threading.Condition
    thread: Any = threading.Thread
    waits: Any = select
    wait, join, choose = condition.wait, thread.join, waits.select
    condition.wait = lambda self, timeout=None: rehearsed.wait(lambda part: wait(self, part), timeout)
    thread.join = lambda self, timeout=None: rehearsed.wait(lambda part: ended(join, self, part), timeout)
    waits.select = lambda read, write, broken, timeout=None: (
        rehearsed.wait(lambda part: some(choose(read, write, broken, part)), timeout) or ([], [], [])
    )
    for kind in ("PollSelector", "EpollSelector"):
        shorten_selections(getattr(selectors, kind), rehearsed)
    shorten_reads()


def ended(join: Callable[..., None], thread: threading.Thread, part: float | None) -> bool:
    join(thread, part)
    return not thread.is_alive()


def some(lists: tuple[list[Any], list[Any], list[Any]]) -> Any:
    return lists if any(lists) else None


def shorten_selections(kind: Any, rehearsed: RehearsedTime) -> None:
    selection = kind.select
    kind.select = lambda self, timeout=None: rehearsed.wait(lambda part: selection(self, part), timeout)


def shorten_reads() -> None:
    """The kernel gets the longest time that a time-out can be here; what ends it earlier is the rehearsed time."""
    sockets: Any = socket.socket
    set_timeout, get_timeout, choose = sockets.settimeout, sockets.gettimeout, select.select
    sockets.settimeout = lambda self, value: set_timeout(self, value / SLOWEST if value else value)
    sockets.gettimeout = lambda self: get_timeout(self) and get_timeout(self) * SLOWEST

    def in_time(call: Callable[..., Any]) -> Callable[..., Any]:
        def read(self: Any, *arguments: Any, **options: Any) -> Any:
            seconds = self.gettimeout()
            if seconds and not choose([self], [], [], seconds)[0]:
                raise TimeoutError("timed out")
            return call(self, *arguments, **options)

        return read

    for name in ("recv", "recv_into", "accept"):
        setattr(sockets, name, in_time(getattr(sockets, name)))


def with_rehearsed_times(function: Callable[..., os.stat_result], rehearsed: RehearsedTime) -> Any:
    def stat(*arguments: Any, **options: Any) -> os.stat_result:
        found: Any = function(*arguments, **options)
        numbers, names = found.__reduce__()[1]
        for name in FILE_TIMES:
            names[name] = rehearsed.of_file(names[name])
            names[f"{name}_ns"] = int(names[name] * 1e9)
        return os.stat_result(numbers, names)

    return stat


def use_address(address: str) -> None:
    """All pods share one loopback interface: each listens at, and connects from, its own address."""
    sockets: Any = socket.socket
    bind, connect = sockets.bind, sockets.connect

    def bind_own(self: socket.socket, name: Any) -> None:
        if self.family == socket.AF_INET6:
            raise OSError(errno.EADDRNOTAVAIL, "pods of a rehearsal have an IPv4 address only")
        is_own = self.family == socket.AF_INET and name[0] in ("", ANY_ADDRESS, *LOOPBACK)
        bind(self, (address, *name[1:]) if is_own else name)

    def connect_from_own(self: socket.socket, name: Any) -> None:
        if self.family == socket.AF_INET and self.getsockname() == (ANY_ADDRESS, 0):
            bind(self, (address, 0))
        is_own = self.family == socket.AF_INET and name[0] in LOOPBACK
        connect(self, (address, *name[1:]) if is_own else name)

    sockets.bind, sockets.connect = bind_own, connect_from_own


def use_outside_hosts() -> None:
    """Hosts of this suffix are those of outside_hosts.py; no other host outside of the pods is known here."""
    names: Any = socket
    look_up = names.getaddrinfo

    def look_up_outside(host: Any, port: Any, *arguments: Any, **options: Any) -> Any:
        if not (isinstance(host, str) and host.endswith(OUTSIDE_SUFFIX)):
            return look_up(host, port, *arguments, **options)
        from outside_hosts import address_of

        return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", address_of(host))]

    names.getaddrinfo = look_up_outside


def fail_on_request(folder: Path) -> None:
    """Calls on files fail as the lines of ``file-errors`` say: name of the error, ``any`` or ``write``, a path."""
    listed = str(folder / "file-errors")

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in WATCHED or not isinstance(arguments[0], str | bytes) or arguments[0] == listed:
            return
        path = os.fsdecode(arguments[0])
        writes = bool(arguments[2] & WRITING) if event == "open" else event in ("os.mkdir", "os.rename")
        for line in lines_of(listed):
            name, calls, prefix = line.split()
            if path.startswith(prefix) and (writes or calls == "any"):
                number = getattr(errno, name)
                raise OSError(number, os.strerror(number), path)

    sys.addaudithook(hook)


def lines_of(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []


def install() -> None:
    if address := os.environ.get("REHEARSAL_ADDRESS"):
        use_address(address)
        use_outside_hosts()
    if folder := os.environ.get("REHEARSAL_FAULTS"):
        fail_on_request(Path(folder))
    if file := os.environ.get("REHEARSAL_CLOCK"):
        use_time(RehearsedTime(file))
    if TOKEN.exists():
        import kubernetes_api

        kubernetes_api.use()


install()
