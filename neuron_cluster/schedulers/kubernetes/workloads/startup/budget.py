"""The time that the pods of a workload need to start, step by step, with the time-outs that stop them."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct


class Step(enum.StrEnum):
    """In their order."""

    FILL = "fill of the cache"
    NODE_JOIN = "node joins"
    IMAGE_PULL = "image pull"
    COPY = "copy of weights"
    COMPILE = "compile"
    LOAD = "load"


OF_A_POD = tuple(step for step in Step if step is not Step.FILL)
"""Without what another workload does before."""


class StartStep(Struct, frozen=True, kw_only=True):
    """Cold: on a new node, with empty caches. Warm: a pod that starts again, with all that the first start left."""

    name: Step
    cold_seconds: float
    warm_seconds: float
    reason: str
    """The reason of the seconds: a value of the chart, or a fact of the catalog."""
    source: str = ""
    """Source of the fact; empty for a value."""
    doubt: str | None = None


class StartLimit(Struct, frozen=True, kw_only=True):
    """Something that stops a pod which has not ended ``steps`` in time."""

    name: str
    seconds: float
    steps: tuple[Step, ...]
    key: str
    """The setting of the limit: a value of the chart, or a key of the environment file."""
    unit_seconds: int
    """Seconds of one unit of the number at ``key``."""
    then: str
    """The effect on a pod that takes longer."""


class StartBudget(Struct, frozen=True):
    """All steps of one workload, and all time-outs that it meets."""

    steps: tuple[StartStep, ...]
    limits: tuple[StartLimit, ...]
    to_keep_graphs: str
    """The setting with which a warm start compiles nothing."""

    def cold_seconds(self, steps: Iterable[Step] = Step) -> float:
        """The sum of these steps on a new node."""
        wanted = set(steps)
        return sum(step.cold_seconds for step in self.steps if step.name in wanted)

    def warm_seconds(self, steps: Iterable[Step] = Step) -> float:
        """The sum of these steps of a pod that starts again."""
        wanted = set(steps)
        return sum(step.warm_seconds for step in self.steps if step.name in wanted)

    def as_data(self) -> Mapping[str, Any]:
        """Returns the JSON output: with the sums of all steps and of the steps that each time-out counts."""
        return {
            "cold_seconds": self.cold_seconds(),
            "warm_seconds": self.warm_seconds(),
            "steps": [
                {
                    "name": step.name.value,
                    "cold_seconds": step.cold_seconds,
                    "warm_seconds": step.warm_seconds,
                    "reason": step.reason,
                    "source": step.source or None,
                    "doubt": step.doubt,
                }
                for step in self.steps
            ],
            "limits": [
                {
                    "name": limit.name,
                    "seconds": limit.seconds,
                    "key": limit.key,
                    "steps": [step.value for step in limit.steps],
                    "cold_seconds": self.cold_seconds(limit.steps),
                    "warm_seconds": self.warm_seconds(limit.steps),
                }
                for limit in self.limits
            ],
        }
