"""Words that the refusals share."""

from __future__ import annotations

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.normal_form import Address
from neuron_cluster.findings import Location


def place(address: Address) -> Location:
    """Where a finding about a resource stands: the stack is the file, the logical id the path."""
    return Location(address.stack, path=address.logical_id)


def why_replaced(comparison: Comparison, address: Address) -> str:
    """The property that cannot change in place; when it only refers to something replaced, what is behind that."""
    cause, origin = comparison.replaced[address], comparison.origin(address)
    return str(cause) if origin == address else f"{cause} ({comparison.replaced[origin]})"


def listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
