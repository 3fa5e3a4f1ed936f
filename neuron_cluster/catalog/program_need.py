"""Files that the programs of containers write, and the rights that they need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow

Egress = Literal["dns", "https", "pod_identity", "own_pods"]


class ProgramNeed(SourcedRow, frozen=True, kw_only=True):
    """One thing that a program writes, or the rights that it needs.

    ``programs`` are words of a command line without their folders, or options before their ``=``; ``frameworks`` are
    those of the image in the catalog, empty for any image.
    """

    programs: tuple[str, ...]
    frameworks: tuple[str, ...] = ()
    writes: str = ""
    """The folder where it writes by default: ``~`` is HOME, ``.`` the working directory, ``<model>`` the folder of the
    model; empty where it writes only if a variable or an option names a folder."""
    variables: tuple[str, ...] = ()
    """Variables that name another folder, the first that is set counts."""
    option: str = ""
    """The option with the folder."""
    volume: Literal["any", "node"] = "any"
    """``node``: a disk or memory of the node, because a file system that other nodes mount too breaks it."""
    egress: tuple[Egress, ...] = ()
    user: Literal["any", "root"] = "any"
    capabilities: tuple[str, ...] = ()
    api: FrozenMap[str, tuple[str, ...]] = FrozenMap()
    """Verbs by the resource of the API server, which its token must allow."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not (self.writes or self.variables or self.option or self.egress or self.api or self.capabilities):
            yield "name", "has neither what the program writes nor what it needs"
