"""Services whose network interfaces are in the subnets of others."""

from __future__ import annotations

import re

from neuron_cluster.catalog.sourced_row import SourcedRow


class InterfaceOwner(SourcedRow, frozen=True, kw_only=True):
    """One kind of owner. ``name`` is what people call it."""

    pattern: str
    """Matches the beginning of the description of an interface; its group is the id of the owner."""
    operation: str
    """The operation of the AWS CLI that deletes the owner."""
    option: str
    """The option of the operation that takes the id, with underscores."""
    holds_data: bool = False

    def owner_in(self, description: str) -> str | None:
        """The id of the owner of an interface with this description; None of any other interface."""
        found = re.match(self.pattern, description)
        return found[1] if found is not None else None
