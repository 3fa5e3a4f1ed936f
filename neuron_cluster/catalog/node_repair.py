"""The reasons that the EKS node monitoring agent reports for a Neuron node, and their repair actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.sourced_row import SourcedRow


class NodeRepair(SourcedRow, frozen=True, kw_only=True):
    """One reason, by the agent's name for it. ``condition`` and ``name`` are the agent's, ``advice`` is AWS's.

    ``action`` and ``wait_minutes`` are this toolkit's decision, ``because`` is the reason.
    """

    condition: str
    """Condition of the Kubernetes node with the reason."""
    description: str
    advice: Literal["replace", "reboot"] | None
    """The advice of the hardware's documentation; None without one."""
    eks_wait_minutes: int
    """EKS's default wait time for this condition."""
    action: Literal["replace", "reboot", "wait"]
    """``wait``: EKS does not repair the node; an operator must check it."""
    wait_minutes: int
    because: str
    with_further_interfaces: bool = False
    """Mapped only where nodes have more than one network interface with an address (``efa: efa_all``)."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.wait_minutes < 1:
            yield "wait_minutes", "EKS requires at least one minute"
        if self.advice == "replace" and self.action != "replace":
            yield "action", "must be replace where the hardware's documentation requires a replacement"
