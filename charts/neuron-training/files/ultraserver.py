"""The places of the nodes in their UltraServers, which the runtime wants to be told.

Every node reads its own place from sysfs; rendezvous.py collects them. Names and order:
aws-neuron/aws-neuron-sdk:src/k8/k8s-ultraserver-init-script.sh and deploy/eks/ultraserver.rst @81ce03a.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from rendezvous import Place

SYSFS = Path("/sys/class/neuron_device")
# The numbers that the runtime gives to modes, by nodes of an UltraServer that work together; the best one first.
MODES = {4: (1,), 2: (3, 2)}


class WrongPlacement(Exception):
    """The nodes are not in UltraServers as the job needs them."""


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
