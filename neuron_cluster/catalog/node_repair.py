"""What the EKS node monitoring agent reports of a Neuron node, what its maker says of it, and what is done about it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class NodeRepair(SourcedRow, frozen=True, kw_only=True):
    """One reason, by the agent's name for it. ``condition`` and ``name`` are the agent's facts, ``advice`` its maker's.

    ``action`` and ``wait_minutes`` are this toolkit's decision, ``because`` says why.
    """

    condition: str
    """Condition of the Kubernetes node that carries the reason."""
    description: str
    advice: Literal["replace", "reboot"] | None
    """What the documents of the hardware say; None where they are silent."""
    eks_wait_minutes: int
    """How long EKS waits by itself with this condition."""
    action: Literal["replace", "reboot", "wait"]
    """``wait``: nobody touches the node; a person looks at it."""
    wait_minutes: int
    because: str
    with_further_interfaces: bool = False
    """Mapped only where nodes have more than one network interface with an address (``efa: efa_all``)."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.wait_minutes < 1:
            yield "wait_minutes", "EKS takes one minute at least"
        if self.advice == "replace" and self.action != "replace":
            yield "action", "what the hardware's documents want replaced is replaced"


@functools.cache
def node_repairs() -> FrozenMap[str, NodeRepair]:
    """All reasons by name."""
    return read_rows(DATA_DIRECTORY / "node_repair.yaml", NodeRepair)
