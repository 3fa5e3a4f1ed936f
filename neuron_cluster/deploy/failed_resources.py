"""Failed resources as text: the first cause with its place in the file, its known cause, and the way out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from neuron_cluster.aws.cloudformation import StackEvent
from neuron_cluster.catalog.failure_cause import FailureCause
from neuron_cluster.deploy.destination import Destination

Failures = Sequence[tuple[str, StackEvent]]
"""Stack and event of each failed resource, the first cause first."""
Place = Callable[[str, str], str]
"""Returns the key of the file that a resource, by stack and logical id, comes from; empty where it is not known."""


def no_place(_stack: str, _logical_id: str) -> str:
    """Knows no file."""
    return ""


def failure_lines(failures: Failures, destination: Destination, place: Place = no_place) -> list[str]:
    """Each failed resource with the service's own reason; below the first one its key in the file and known cause."""
    lines = [f"{name}: {event.logical_id} ({event.type}): {event.reason or event.status}" for name, event in failures]
    return [*lines[:1], *(f"  {line}" for line in _explanation(failures, destination, place)), *lines[1:]]


def way_out(failures: Failures, destination: Destination) -> str:
    """The way out of the first cause, with a command that shows more; empty where the cause is not known."""
    found = _known_cause(failures, destination)
    if found is None:
        return ""
    return f"{found.way_out}; `{destination.aws_command(found.look)}` shows more" if found.look else found.way_out


def _explanation(failures: Failures, destination: Destination, place: Place) -> list[str]:
    if not failures:
        return []
    stack, event = failures[0]
    key, found = place(stack, event.logical_id), _known_cause(failures, destination)
    lines = [f"in the file: {key}"] if key else []
    if found is not None:
        lines.append(f"{'possible' if found.doubt else 'known'} cause: {found.cause}")
    return lines


def _known_cause(failures: Failures, destination: Destination) -> FailureCause | None:
    if not failures:
        return None
    _, event = failures[0]
    return destination.catalog.failure_causes.of(event.type, event.reason)
