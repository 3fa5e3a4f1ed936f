"""One reason why a release does not run: what was seen, what it means, what to do."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace


class Stage(StrEnum):
    """Where a release is held up, in the order of a start: what is first explains what follows."""

    STOPPED = "stopped"
    QUEUE = "queue"
    CLAIM = "claim"
    NODES = "nodes"
    PLACEMENT = "placement"
    VOLUMES = "volumes"
    IMAGE = "image"
    CONTAINER = "container"
    PROGRAM = "program"
    READINESS = "readiness"
    EVICTION = "eviction"
    CONTROLLER = "controller"


class Cause(Struct, frozen=True, kw_only=True):
    """``since`` is a time of the cluster (RFC 3339) or of a rehearsal; ``count`` objects are in the same situation."""

    stage: Stage
    about: str
    seen: str
    means: str
    do: tuple[str, ...]
    since: str | None = None
    count: int = 1


def in_order(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """The first cause first; those of several objects with the same meaning are one."""
    groups: dict[tuple[Stage, str], dict[str, Cause]] = {}
    for cause in causes:
        groups.setdefault((cause.stage, cause.means), {}).setdefault(cause.about, cause)
    merged = [replace(next(iter(found.values())), count=len(found)) for found in groups.values()]
    order = list(Stage)
    return tuple(sorted(merged, key=lambda cause: order.index(cause.stage)))
