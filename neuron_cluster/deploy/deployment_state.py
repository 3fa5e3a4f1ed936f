"""Whether an environment is deployed completely, and what ended early: a deploy, or a destroy."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from neuron_cluster.aws.cloudformation import Stack
from neuron_cluster.findings.text import listed

COMPLETE = "complete"
STABLE = ("CREATE_COMPLETE", "UPDATE_COMPLETE", "IMPORT_COMPLETE")
"""Statuses of a stack whose last operation succeeded."""


class DeploymentState(Struct, frozen=True):
    """The stacks that exist next to those that the file has. Names are those of CloudFormation."""

    stacks: Sequence[Stack]
    """The stacks that exist, also after a first deploy that was rolled back."""
    expected: tuple[str, ...] | None
    """Stacks of the file in deploy order; None where no file without errors describes the environment."""
    deleted: Mapping[str, datetime]
    """When a stack of the name was deleted last."""
    kept_with_data: Collection[str]
    """Stacks that a `destroy` keeps, as they hold data; none without data."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Stacks of the file that do not exist."""
        there = {stack.name for stack in self.stacks}
        return tuple(name for name in self.expected or () if name not in there)

    @property
    def text(self) -> str:
        """``complete`` only where every stack of the file exists and its last operation succeeded."""
        odd = [f"{stack.name} {stack.status}" for stack in self.stacks if stack.status not in STABLE]
        if self.expected is None:
            return ", ".join([*odd, "which stacks are missing is not known: no file without errors describes it"])
        parts = [*odd, *self._missing_text()]
        return ", ".join(parts) or COMPLETE

    def _missing_text(self) -> list[str]:
        missing = self.missing
        if not missing:
            return []
        there = len(self.expected or ()) - len(missing)
        counted = f"{there} of {len(self.expected or ())} stacks, without {listed(missing)}"
        began = max((moment for each in self.stacks for moment in (each.created, each.updated) if moment), default=None)
        gone = [name for name in missing if name in self.deleted and (began is None or self.deleted[name] >= began)]
        if not gone:
            return [f"deployed in part: {counted}; `deploy` continues"]
        is_stable = all(stack.status in STABLE for stack in self.stacks)
        if is_stable and {stack.name for stack in self.stacks} <= set(self.kept_with_data):
            return [f"destroyed, and kept with its data: {counted}; `deploy` builds the rest again"]
        return [f"destroyed in part: {counted}; `destroy` continues, `deploy` builds the rest again"]
