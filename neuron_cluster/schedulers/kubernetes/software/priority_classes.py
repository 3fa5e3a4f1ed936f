"""Kueue's priorities for jobs, by the label ``kueue.x-k8s.io/priority-class``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PRIORITIES: Mapping[str, tuple[int, str]] = {
    "high": (1000, "Stops jobs of a lower priority in its queue when they hold the devices that it needs."),
    "normal": (0, "The priority of a job without a class."),
    "low": (-1000, "Is stopped first, and waits until the devices are free again."),
}
"""Value and description by name. Kueue gives a job without a class, whose pods have none either, 0
(kubernetes-sigs/kueue@ff69552, site/content/en/docs/concepts/workload_priority_class.md)."""


def priority_classes(api_version: str) -> tuple[Mapping[str, Any], ...]:
    """The objects; they affect only the order of Kueue, not the scheduler."""
    return tuple(
        {
            "apiVersion": api_version,
            "kind": "WorkloadPriorityClass",
            "metadata": {"name": name},
            "value": value,
            "description": description,
        }
        for name, (value, description) in PRIORITIES.items()
    )
