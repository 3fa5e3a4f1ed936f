"""All pods of the job wait for each other before the ranks start, and learn who they are.

The first pod collects the places of all and sends the list to each. Without it the ranks of the first pods give up
while a late node still loads its image: torchrun waits 15 minutes by default, JAX five.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import socket
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from job import Job

RETRY_SECONDS = 1
SENDER_SECONDS = 5
"""How long a connection may take to say who it is."""
LONGEST_LINE = 4096
"""Bytes; a place has about a hundred."""
Resolve = Callable[[str], set[str]]


class Missing(Exception):
    """A pod of the job was not there in time: its node has not joined, or loads its image."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a node is: its UltraServer ("" without one), its number in it or in the job, and the name of its pod."""

    server: str
    node: int
    host: str
    modes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """How the pods of one job meet. ``check`` is called again and again; what it raises ends the wait."""

    job: Job
    order: Callable[[Iterable[Place]], list[Place]]
    check: Callable[[], None]

    def exchange(self, own: Place, resolve: Resolve | None = None) -> list[Place]:
        """The places of all pods, in order. Raises Missing, and what ``order`` and ``check`` raise."""
        deadline = time.monotonic() + self.job.start_timeout_seconds
        if self.job.node_rank == 0:
            return self._collect(own, deadline, resolve or addresses_of)
        return self._send(own, deadline)

    def _send(self, own: Place, deadline: float) -> list[Place]:
        host, port = self.job.master_host, self.job.topology_port
        while True:
            self.check()
            try:
                with socket.create_connection((host, port), timeout=SENDER_SECONDS) as line:
                    line.sendall(json.dumps(dataclasses.astuple(own)).encode() + b"\n")
                    answer = self._read_line(line, deadline)
                if answer:
                    return [_place(row) for row in json.loads(answer)]
            except OSError as problem:
                if time.monotonic() > deadline:
                    raise Missing(f"{host} did not send the places of all pods: {problem}") from problem
            time.sleep(RETRY_SECONDS)

    def _read_line(self, line: socket.socket, deadline: float) -> bytes:
        """The first line, or nothing when the connection ends before. Raises OSError."""
        line.settimeout(RETRY_SECONDS)
        received = b""
        while not received.endswith(b"\n"):
            self.check()
            try:
                part = line.recv(1 << 16)
            except TimeoutError:
                if time.monotonic() > deadline:
                    raise
                continue
            if not part:
                return b""
            received += part
        return received

    def _collect(self, own: Place, deadline: float, resolve: Resolve) -> list[Place]:
        places = {own}
        lines: list[socket.socket] = []
        try:
            with door_of(self.job) as door:
                while len(places) < self.job.nodes:
                    if (line := self._accept(door, deadline, len(places))) is None:
                        continue
                    place = _sent_place(line)
                    if place is None or not is_of_job(self.job, place.host, address_of(line), resolve):
                        line.close()
                        continue
                    lines.append(line)
                    places.add(place)
            ordered = self.order(places)
            answer = json.dumps([dataclasses.astuple(place) for place in ordered]).encode() + b"\n"
            for line in lines:
                with contextlib.suppress(OSError):  # that node gave up this line and asked on another one
                    line.sendall(answer)
            return ordered
        finally:
            for line in lines:
                line.close()

    def _accept(self, door: socket.socket, deadline: float, present: int) -> socket.socket | None:
        """The next connection, or None when there was none for a moment."""
        self.check()
        try:
            return door.accept()[0]
        except TimeoutError:
            if time.monotonic() > deadline:
                waited = f"in {self.job.start_timeout_seconds} s"
                raise Missing(f"{present} of {self.job.nodes} pods were there {waited}") from None
            return None


def own_place(job: Job) -> Place:
    """The place of a pod that is in no UltraServer: its rank, and its name in the job's headless Service."""
    service = job.master_host.split(".")[1:2]
    return Place("", job.node_rank, ".".join([job.pod, *service]), ())


def addresses_of(host: str) -> set[str]:
    """What this name resolves to now; nothing for a name that does not."""
    try:
        return {str(found[4][0]) for found in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
    except socket.gaierror:
        return set()


def is_of_job(job: Job, host: str, address: str, resolve: Resolve) -> bool:
    """Whether the pod of this address is the one that the job's own headless Service knows by this name.

    Only the first two labels count: the namespace is this pod's own, whatever the sender says.
    """
    labels = host.split(".")[:2]
    return labels[1:] == job.master_host.split(".")[1:2] and address in resolve(".".join(labels))


def door_of(job: Job) -> socket.socket:
    """Where the other pods come to, by IPv6 too where the pod has it."""
    try:
        door = socket.create_server(
            ("", job.topology_port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=job.nodes
        )
    except (OSError, ValueError):
        door = socket.create_server(("", job.topology_port), backlog=job.nodes)
    door.settimeout(RETRY_SECONDS)
    return door


def address_of(line: socket.socket) -> str:
    """Returns the address of the other end, without the prefix of IPv4 in IPv6."""
    try:
        return str(line.getpeername()[0]).removeprefix("::ffff:")
    except OSError:
        return ""  # it is gone already


def _sent_place(line: socket.socket) -> Place | None:
    """What a connection says; None for anything else than a place, which no pod of the job sends."""
    line.settimeout(SENDER_SECONDS)
    try:
        return _place(json.loads(line.makefile().readline(LONGEST_LINE)))
    except (OSError, ValueError, TypeError):
        return None


def _place(row: list[Any]) -> Place:
    server, node, host, modes = row
    return Place(str(server), int(node), str(host), tuple(modes))
