"""The places of the nodes in their UltraServers, which the runtime wants to be told.

Every node reads its own place from sysfs and tells it to the first pod, which sorts them and answers all. Names and
order: aws-neuron/aws-neuron-sdk:src/k8/k8s-ultraserver-init-script.sh and deploy/eks/ultraserver.rst @81ce03a.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import re
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from job import Job

SYSFS = Path("/sys/class/neuron_device")
# The numbers that the runtime gives to modes, by nodes of an UltraServer that work together; the best one first.
MODES = {4: (1,), 2: (3, 2)}
RETRY_SECONDS = 1
LONGEST_LINE = 4096
"""Bytes; a place has about a hundred."""


class WrongPlacement(Exception):
    """The nodes are not in UltraServers as the job needs them."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a node is: its UltraServer, its number in it, and the host name of its pod."""

    server: str
    node: int
    host: str
    modes: tuple[int, ...]


def own_place(size: int, host: str, sysfs: Path = SYSFS) -> Place:
    """The place that the driver tells. Raises WrongPlacement when it knows none for this size.

    Trn3 has one file for all sizes, the id of the reservation for that of the server; Trn2 has files for each size.
    """
    is_trn3 = (sysfs / "reservation_id").exists()
    server_file, node_file = ("reservation_id", "node_id") if is_trn3 else (f"server_id_{size}", f"node_id_{size}")
    try:
        server = (sysfs / server_file).read_text().strip()
        node = int((sysfs / node_file).read_text())
        modes = tuple(int(number) for number in re.findall(r"\d+", (sysfs / "ultraserver_mode").read_text()))
    except FileNotFoundError as missing:
        raise WrongPlacement(f"this node is in no UltraServer of {size}: {missing.filename} is not there") from missing
    return Place(server, node, host, modes)


def sorted_places(places: Iterable[Place], size: int) -> list[Place]:
    """All nodes in the order of their topology ids. Raises WrongPlacement when an UltraServer is not whole."""
    ordered = sorted(places)
    for server in {place.server for place in ordered}:
        nodes = [place.node for place in ordered if place.server == server]
        if len(set(nodes)) != size or len(nodes) != size:
            raise WrongPlacement(f"UltraServer {server} takes part with nodes {nodes}, which are not {size}")
    return ordered


def environment(places: Sequence[Place], own: Place, size: int) -> dict[str, str]:
    """What the runtime of this node is told. Raises WrongPlacement when the node lacks the mode."""
    mode = next((mode for mode in MODES[size] if mode in own.modes), None)
    if mode is None:
        raise WrongPlacement(f"this node cannot work in {size}s: its modes are {own.modes}")
    return {
        "NEURON_GLOBAL_TOPOID": str(places.index(own)),
        "NEURON_GLOBAL_TOPOID0_HOST": places[0].host,
        "NEURON_RT_ULTRASERVER_MODE": str(mode),
        "NEURON_RT_ULTRASERVER_SERVER_ID": own.server,
        "NEURON_RT_ULTRASERVER_NODE_ID": str(own.node),
    }


def addresses_of(host: str) -> set[str]:
    """What this name resolves to now; nothing for a name that does not."""
    try:
        return {str(found[4][0]) for found in socket.getaddrinfo(host, None, socket.AF_INET, socket.SOCK_STREAM)}
    except socket.gaierror:
        return set()


def exchange(job: Job, own: Place, resolve: Callable[[str], set[str]] = addresses_of) -> list[Place]:
    """The places of all pods, in order. Pod 0 collects them. Raises TimeoutError and WrongPlacement."""
    deadline = time.monotonic() + job.start_timeout_seconds
    if job.node_rank == 0:
        return _collect(job, own, resolve)
    while True:
        try:
            with socket.create_connection((job.master_host, job.topology_port), timeout=60) as line:
                line.settimeout(job.start_timeout_seconds)
                line.sendall(json.dumps(dataclasses.astuple(own)).encode() + b"\n")
                answer = line.makefile().readline()
            if answer:
                return [_place(row) for row in json.loads(answer)]
        except OSError as problem:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{job.master_host} did not tell the places: {problem}") from problem
        time.sleep(RETRY_SECONDS)


def is_of_job(job: Job, host: str, address: str, resolve: Callable[[str], set[str]]) -> bool:
    """Whether the pod of this address is the one that the job's own headless Service knows by this name.

    Only the first two labels count: the namespace is this pod's own, whatever the sender says.
    """
    labels = host.split(".")[:2]
    return labels[1:] == job.master_host.split(".")[1:2] and address in resolve(".".join(labels))


def _told_place(line: socket.socket) -> Place | None:
    """What a connection says; None for anything else than a place, which no pod of the job sends."""
    line.settimeout(60)
    try:
        return _place(json.loads(line.makefile().readline(LONGEST_LINE)))
    except (OSError, ValueError, TypeError):
        return None


def _collect(job: Job, own: Place, resolve: Callable[[str], set[str]]) -> list[Place]:
    places = {own}
    lines: list[socket.socket] = []
    try:
        with socket.create_server(("", job.topology_port), backlog=job.nodes) as door:
            door.settimeout(job.start_timeout_seconds)
            while len(places) < job.nodes:
                line, (address, _) = door.accept()
                place = _told_place(line)
                if place is None or not is_of_job(job, place.host, address, resolve):
                    line.close()
                    continue
                lines.append(line)
                places.add(place)
        ordered = sorted_places(places, job.ultraserver_size)
        answer = json.dumps([dataclasses.astuple(place) for place in ordered]).encode() + b"\n"
        for line in lines:
            with contextlib.suppress(ConnectionError):  # that node gave up this line and asked on another one
                line.sendall(answer)
        return ordered
    finally:
        for line in lines:
            line.close()


def _place(row: list[Any]) -> Place:
    server, node, host, modes = row
    return Place(str(server), int(node), str(host), tuple(modes))
