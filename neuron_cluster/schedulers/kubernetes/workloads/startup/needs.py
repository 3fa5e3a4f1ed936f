"""The parts of a start that the values of a chart decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from local_kubernetes.model.chart_values import value_at

MINUTE = 60


class StartNeeds(Struct, frozen=True, kw_only=True):
    """The needs of one pod. ``None`` seconds: the chart has no value, and the catalog's estimate is used."""

    compiles: bool = False
    compile_seconds: int | None = None
    compile_key: str = ""
    is_filled_before: bool = False
    """Another workload compiles: the program stops at a graph that the cache lacks."""
    keeps_graphs: bool = False
    """Whether a later start finds the graphs that a start compiles."""
    to_keep_graphs: str = "name a compile cache (compileCache)"
    """The step of the user for that."""
    load_seconds: int = 0
    load_key: str = ""
    copy_gib: int = 0
    """Copied to the disk of the node at each start of a pod."""
    keeps_copy: bool = False
    """The first pod of a node copies, and later ones find it there."""
    read_gib: int = 0
    """Read from S3 while the model is loaded, unless the node has it."""
    gigabits_per_second: int = 0
    """Throughput of copies and reads in Gbit/s."""
    replicas: int = 1
    """Pods that copy, of which a node runs as many as it has devices for."""
    is_ready_when_loaded: bool = False
    """Its pods are Ready after the last step; those of a job as soon as their container runs."""
    barrier_key: str = ""
    """Value with the seconds that the first pod waits for the others; empty without such a wait."""
    deadline_key: str = ""
    """Value with the longest time of the whole workload; empty without one."""
    deadline_unit: int = 1


def nothing(_values: Mapping[str, Any]) -> StartNeeds:
    """Returns the needs of charts whose programs start at once."""
    return StartNeeds()


def whole(values: Mapping[str, Any], path: str) -> int:
    """The number there; 0 where there is none."""
    found = value_at(values, path)
    return found if isinstance(found, int) else 0


def writes_cache(values: Mapping[str, Any]) -> bool:
    """Whether the compilers of the pods write to the cache: never to that of the environment, which they copy."""
    has_cache = any(value_at(values, f"compileCache.{each}") for each in ("url", "claim"))
    return has_cache and not value_at(values, "compileCache.configMap")
