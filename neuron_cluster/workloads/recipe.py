"""How one of our charts is filled in: what it needs, which front ends it has, which values follow from the place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.workloads.context import WorkloadContext
from neuron_cluster.workloads.place import Place


class SoftwareNeed(Struct, frozen=True):
    """Software of the cluster that a chart needs: the switch below ``eks.addons``, and when it is needed.

    ``instead`` is another switch that does as well.
    """

    switch: str
    when: str
    instead: str | None = None


NOTHING: Mapping[str, str] = {}


class Recipe(Struct, frozen=True):
    """One chart.

    ``front_ends`` maps what ``--front-end`` can be to the framework in the catalog whose image it runs in, the usual
    one first; ``front_end_key`` is the value that says it, None where only the image tells. ``nodes_key`` is the value
    that counts nodes, None for what always runs on one. ``values`` are those that no other chart has.
    """

    chart: str
    needs: tuple[SoftwareNeed, ...]
    front_ends: Mapping[str, str]
    front_end_key: str | None
    nodes_key: str | None
    usual_nodes: int
    places: tuple[Place, ...]
    values: Callable[[WorkloadContext], Mapping[str, Any]]
    own_key_of: Mapping[str, str] = NOTHING
    """Front end to the key that only the user can fill in for it."""
    go_together: tuple[tuple[str, str], ...] = ()
    """Keys whose defaults belong together: who gives the first one gives the second one too."""
