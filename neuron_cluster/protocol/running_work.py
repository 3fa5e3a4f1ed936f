"""A submitted workload, as `workload status`, `logs`, `stop` and `why` use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from neuron_cluster.table import Table


class Shown(Struct, frozen=True):
    """The output of a verb about running work."""

    document: Mapping[str, Any]
    """The document of ``--format json``."""
    text: Callable[[int], str]
    """Returns the text for a terminal of this number of columns."""
    status: int = 0
    """Exit status."""


class RunningList(Struct, frozen=True):
    """The running work, as `workload list --running` prints it."""

    document: Mapping[str, Any]
    table: Table
    forbidden: tuple[str, ...] = ()
    """Resources that the user may not read."""


class StopPlan(Struct, frozen=True, kw_only=True):
    """How it is stopped."""

    commands: tuple[str, ...]
    """Shell commands that do the same."""
    nothing: str
    """Printed where there are no commands."""
    is_needed: bool
    """Whether ``stop`` changes anything."""
    question: str
    """The prompt before it."""
    name: str
    """The word that the user types to confirm."""
    stop: Callable[[Callable[[str], None]], Shown]
    """Stops it, with lines of progress."""


class RunningWork(Protocol):
    """One of them; methods raise ``ToolkitError``."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Keys with which each document about it begins."""

    def status(self) -> Shown:
        """Its state."""

    def log_document(self) -> Shown:
        """Its logs as a document."""

    def stream_logs(self, show: Callable[[str], None]) -> int:
        """Shows each line of its logs, unless a program prints them itself; the exit status."""

    def stop_plan(self) -> StopPlan:
        """Changes nothing."""

    def why(self) -> Shown:
        """Why it does not run."""
