"""The rollout order of an upgrade: hosts (driver) or workloads (runtime) first, by the drivers of each runtime."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.driver_conflict import DriverWindow
    from neuron_cluster.catalog.neuron_sdk import NeuronSdk


class First(enum.StrEnum):
    """Which side is updated first."""

    ANY = "any"
    HOSTS = "hosts"
    WORKLOADS = "workloads"
    TOGETHER = "together"
    NOT_KNOWN = "not known"


class Rollout(Struct, frozen=True):
    """The order for hosts with one driver that get another. Drivers and runtimes are None where not known."""

    first: First
    runtime_before: str | None
    runtime_after: str | None
    driver_before: str | None
    driver_after: str | None
    window_before: DriverWindow | None
    """The drivers that the runtime before works with; None where the runtime is not in the catalog."""
    window_after: DriverWindow | None
    doubt: str | None
    """Why the order is not certain."""

    @property
    def description(self) -> str:
        """The order of the rollout, as a sentence."""
        match self.first:
            case First.ANY:
                return "either side first: old and new versions work with each other"
            case First.HOSTS:
                return (
                    f"hosts first, then workloads: runtime {self.runtime_after} does not work with driver "
                    f"{self.driver_before}, but runtime {self.runtime_before} works with driver {self.driver_after}"
                )
            case First.WORKLOADS:
                return (
                    f"workloads first, then hosts: runtime {self.runtime_before} does not work with driver "
                    f"{self.driver_after}, but runtime {self.runtime_after} works with driver {self.driver_before}"
                )
            case First.TOGETHER:
                return (
                    f"both together: runtime {self.runtime_after} does not work with driver {self.driver_before}, nor "
                    f"runtime {self.runtime_before} with driver {self.driver_after}; drain the hosts or create new ones"
                )
            case First.NOT_KNOWN:
                return self._not_known()

    def _not_known(self) -> str:
        if self.window_before is None or self.window_after is None:
            return "unknown: the catalog has no runtime for one of the releases"
        if self.window_before == self.window_after:
            return f"either side first, if the hosts have {self.window_after.description}; their driver is unknown"
        return (
            f"unknown, because the driver of the hosts is unknown: runtime {self.runtime_before} works with "
            f"{self.window_before.description}, runtime {self.runtime_after} with {self.window_after.description}"
        )


def rollout(
    before: NeuronSdk, after: NeuronSdk, driver_before: str | None, driver_after: str | None, catalog: Catalog
) -> Rollout:
    """The order in which hosts and workloads of two releases are updated. A conflict in doubt counts as one."""
    old, new = before.runtime, after.runtime
    doubts: list[str] = []

    def works(runtime: str, driver: str) -> bool:
        found = catalog.driver_conflicts.between(runtime, driver)
        if found and found[0].doubt:
            doubts.extend(found[0].doubt.values())
        return not found

    of_old = catalog.driver_conflicts.window(old) if old is not None else None
    of_new = catalog.driver_conflicts.window(new) if new is not None else None
    if old is None or new is None or driver_before is None or driver_after is None:
        return Rollout(First.NOT_KNOWN, old, new, driver_before, driver_after, of_old, of_new, None)
    order = {
        (True, True): First.ANY,
        (False, True): First.HOSTS,
        (True, False): First.WORKLOADS,
        (False, False): First.TOGETHER,
    }[works(new, driver_before), works(old, driver_after)]
    return Rollout(order, old, new, driver_before, driver_after, of_old, of_new, doubts[0] if doubts else None)
