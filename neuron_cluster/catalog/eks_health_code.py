"""A health code of EKS in words: what it means to the person on call, and the next step."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow

KINDS = ("nodegroup", "addon", "cluster")


class EksHealthCode(SourcedRow, frozen=True, kw_only=True):
    """One code of one kind of object; its name is both: ``nodegroup AsgInstanceLaunchFailures``."""

    meaning: str
    """A clause about the cause."""
    step: str
    """The next step, as a clause in the imperative."""
    operation: str = ""
    """Service and operation of the AWS CLI; empty where the next command of the line does it."""
    options: FrozenMap[str, str] = FrozenMap()
    """Options of ``operation``, with ``{cluster}``, ``{name}``, ``{resource}`` and ``{resources}`` in values."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.name.partition(" ")[0] not in KINDS:
            yield "name", f"must begin with one of {', '.join(KINDS)}"
        if self.options and not self.operation:
            yield "options", "are options of no operation"
