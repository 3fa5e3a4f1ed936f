"""Times as people read them."""

from __future__ import annotations

from neuron_cluster.catalog.resource_duration import SecondsRange
from neuron_cluster.timing.expected_time import ExpectedTime

IN_SECONDS = 120
"""Times below this many seconds are shown in seconds, others in minutes."""
NAMED = 3
"""Number of resources that a sentence names."""


def range_text(seconds: SecondsRange) -> str:
    """``17 to 24 s``, ``9 to 14 min``, ``up to 4 min``."""
    if seconds.high < IN_SECONDS:
        low, high, unit = seconds.low, seconds.high, "s"
    else:
        low, high, unit = seconds.low // 60, -(-seconds.high // 60), "min"
    if low == high:
        return f"{high} {unit}"
    return f"{low} to {high} {unit}" if low else f"up to {high} {unit}"


def longest_steps(found: ExpectedTime) -> str:
    """The resources that take most of the critical path, in its order; empty where it has none."""
    longest = sorted(found.path, key=lambda step: step.takes.high, reverse=True)[:NAMED]
    return ", ".join(f"{step.type} {range_text(step.takes)}" for step in found.path if step in longest)
