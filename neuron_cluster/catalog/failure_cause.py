"""Known causes of a failed resource of a stack, by the words of its event."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table


class FailureCause(SourcedRow, frozen=True, kw_only=True):
    """One cause and the way out of it."""

    reason: str
    """Regular expression, in any case, of a part of the reason that the event has."""
    types: tuple[str, ...] = ()
    """CloudFormation types of the resource; none: every type."""
    cause: str
    way_out: str
    look: str = ""
    """A command of the AWS CLI that shows more, without program, Region and endpoint; empty where there is none."""

    def fits(self, type_name: str, reason: str) -> bool:
        """Whether an event of a resource of this type has this cause."""
        return (not self.types or type_name in self.types) and bool(re.search(self.reason, reason, re.IGNORECASE))

    def contradictions(self) -> Iterator[tuple[str, str]]:
        try:
            re.compile(self.reason)
        except re.error as error:
            yield "reason", f"is not a regular expression: {error}"
        if self.look.startswith("aws "):
            yield "look", "has the name of the program, which is added"


class FailureCauseTable(Table[FailureCause]):
    def of(self, type_name: str, reason: str) -> FailureCause | None:
        """The first row that fits an event; None where the cause is not known."""
        return next((row for row in self if row.fits(type_name, reason)), None)
