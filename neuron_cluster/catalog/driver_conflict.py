"""Which Neuron runtime (in a container) does not work with which Neuron driver (on its host)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table
from neuron_cluster.catalog.version import is_within, version_key


class DriverConflict(SourcedRow, frozen=True, kw_only=True):
    """Runtimes of one range do not work with drivers of another. A range is ``from`` <= version < ``below``.

    Versions are those of aws-neuronx-runtime-lib and aws-neuronx-dkms; None: no bound. A row with a doubt
    is not certain to fail.
    """

    runtime_from: str | None
    runtime_below: str | None
    driver_from: str | None
    driver_below: str | None
    symptom: str

    def concerns(self, runtime: str) -> bool:
        """Whether the runtime is in the row's range."""
        return is_within(runtime, self.runtime_from, self.runtime_below)

    def rejects(self, runtime: str, driver: str) -> bool:
        """Whether the two do not work together by this row."""
        return self.concerns(runtime) and is_within(driver, self.driver_from, self.driver_below)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        for kind in ("runtime", "driver"):
            first, below = getattr(self, f"{kind}_from"), getattr(self, f"{kind}_below")
            if first is None and below is None:
                yield f"{kind}_from", "a conflict with every version is none between versions"
            if first is not None and below is not None and version_key(first) >= version_key(below):
                yield f"{kind}_below", f"is not above {kind}_from"


class DriverWindow(Struct, frozen=True):
    """The drivers that a runtime works with: ``at_least`` <= driver < ``below``; None: no bound."""

    at_least: str | None
    below: str | None

    @property
    def description(self) -> str:
        """``driver 2.27 or newer, below 2.29``."""
        if self.at_least is None:
            return f"a driver below {self.below}" if self.below is not None else "any driver"
        return f"driver {self.at_least} or newer" + (f", below {self.below}" if self.below is not None else "")


class DriverConflictTable(Table[DriverConflict]):
    def between(self, runtime: str, driver: str) -> tuple[DriverConflict, ...]:
        """The rows by which these two do not work together, those without a doubt first."""
        found = [conflict for conflict in self if conflict.rejects(runtime, driver)]
        return tuple(sorted(found, key=lambda conflict: bool(conflict.doubt)))

    def window(self, runtime: str) -> DriverWindow:
        """The drivers without a conflict with this runtime, certain or in doubt."""
        concerned = [conflict for conflict in self if conflict.concerns(runtime)]
        too_old = [row.driver_below for row in concerned if row.driver_from is None and row.driver_below is not None]
        too_new = [row.driver_from for row in concerned if row.driver_from is not None]
        return DriverWindow(max(too_old, key=version_key, default=None), min(too_new, key=version_key, default=None))
