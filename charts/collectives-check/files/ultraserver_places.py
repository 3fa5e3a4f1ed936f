"""The places of the nodes in their UltraServers: only with them does the runtime use NeuronLink between nodes.

Names, modes and order: aws-neuron/aws-neuron-sdk:src/k8/k8s-ultraserver-init-script.sh and deploy/eks/ultraserver.rst
@81ce03a. Every pod writes its own place to the ConfigMap of the result and reads those of the others there.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

SYSFS = Path("/sys/class/neuron_device")
MODES = {4: (1,), 2: (3, 2)}
"""The numbers that the runtime gives to modes, by nodes of an UltraServer that work together; the best one first."""
POLL_SECONDS = 3


class WrongPlacement(Exception):
    """The nodes are not in UltraServers as the check requires."""


class Notes(Protocol):
    """What all pods read and write: the ConfigMap of result_store."""

    def read(self) -> Mapping[str, str]: ...

    def write(self, data: Mapping[str, str]) -> None: ...


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a node is: its UltraServer, its number in it, and the index of its pod."""

    server: str
    node: int
    pod: int
    modes: tuple[int, ...]


def own_place(size: int, pod: int, sysfs: Path = SYSFS) -> Place:
    """The place that the driver writes: for Trn3 the reservation, for Trn2 one for each size. Raises WrongPlacement."""
    names = (f"server_id_{size}", f"node_id_{size}")
    if (sysfs / "reservation_id").exists():
        names = ("reservation_id", "node_id")
    try:
        server, node, modes = ((sysfs / name).read_text().strip() for name in (*names, "ultraserver_mode"))
        return Place(server, int(node), pod, tuple(int(number) for number in re.findall(r"\d+", modes)))
    except (OSError, ValueError) as problem:
        raise WrongPlacement(f"this node is in no UltraServer of {size}: {problem}") from problem


def sorted_places(places: Iterable[Place], size: int) -> list[Place]:
    """All nodes in the order of their topology ids. Raises WrongPlacement when an UltraServer is not whole."""
    ordered = sorted(places)
    for server in sorted({place.server for place in ordered}):
        nodes = [place.node for place in ordered if place.server == server]
        if len(set(nodes)) != size or len(nodes) != size:
            raise WrongPlacement(f"UltraServer {server} takes part with nodes {nodes}, which are not {size}")
    return ordered


def environment(places: Sequence[Place], own: Place, size: int, hosts: Sequence[str]) -> dict[str, str]:
    """The variables of the runtime of this node. Raises WrongPlacement when the node lacks the mode."""
    mode = next((mode for mode in MODES[size] if mode in own.modes), None)
    if mode is None:
        raise WrongPlacement(f"this node cannot work in {size}s: its modes are {own.modes}")
    return {
        "NEURON_GLOBAL_TOPOID": str(places.index(own)),
        "NEURON_GLOBAL_TOPOID0_HOST": hosts[places[0].pod],
        "NEURON_RT_ULTRASERVER_MODE": str(mode),
        "NEURON_RT_ULTRASERVER_SERVER_ID": own.server,
        "NEURON_RT_ULTRASERVER_NODE_ID": str(own.node),
    }


def exchange(store: Notes, job: str, own: Place, count: int, timeout_seconds: float) -> list[Place]:
    """The places of all pods of this Job. Raises TimeoutError; while the API does not answer it is asked again."""
    deadline = time.monotonic() + timeout_seconds
    is_written = False
    while True:
        try:
            if not is_written:
                store.write({_key(own.pod): json.dumps({"job": job, "place": asdict(own)})})
                is_written = True
            places = _present(_places(store.read(), job, count), own)
        except OSError:  # the API does not answer now
            places = {}
        if len(places) == count:
            return list(places.values())
        if time.monotonic() > deadline:
            missing = sorted(set(range(count)) - places.keys())
            raise TimeoutError(f"pods {missing} did not write their place in an UltraServer: see whether they run")
        time.sleep(POLL_SECONDS)


def _present(places: Mapping[int, Place], own: Place) -> dict[int, Place]:
    """Without those of pods that have ended, and whose node has another pod now: their next pods write again."""
    pods_of_node = Counter((place.server, place.node) for place in places.values())
    return {pod: place for pod, place in places.items() if place == own or pods_of_node[place.server, place.node] == 1}


def _places(data: Mapping[str, str], job: str, count: int) -> dict[int, Place]:
    """Those of this Job: the ConfigMap keeps what an earlier revision wrote."""
    found = {}
    for pod in range(count):
        written = json.loads(data.get(_key(pod), "{}"))
        if written.get("job") == job:
            place = written["place"]
            found[pod] = Place(place["server"], place["node"], place["pod"], tuple(place["modes"]))
    return found


def _key(pod: int) -> str:
    return f"place-{pod}"
