"""Faults as the command line has them: ``NAME[:POD][=DURATION][@MOMENT]``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.rehearsal.fault import Fault
from neuron_cluster.rehearsal.faults import FAULTS

UNITS = MappingProxyType({"s": 1, "m": 60, "h": 3600})
_NOTATION = re.compile(r"(?P<name>[^:=@]*)(:(?P<pod>[0-9]+))?(=(?P<lasts>[^@]*))?(@(?P<moment>.*))?")
_DURATION = re.compile(r"(?P<number>[0-9]{1,7})(?P<unit>[smh])")
_STEP = re.compile(r"step=(?P<step>[0-9]{1,9})")


class Kind(Protocol):
    """A fault as its notation depends on it; see ``faults.FaultKind``."""

    @property
    def hits_pod(self) -> bool: ...
    @property
    def at_start(self) -> bool: ...
    @property
    def lasts(self) -> int | None: ...


def read_fault(text: str, kinds: Mapping[str, Kind] = FAULTS) -> Fault:
    """``NAME[:POD][=DURATION][@MOMENT]``: ``pod-killed:2@step=7``, ``node-late=25m``. Raises ``ToolkitError``."""
    found = _NOTATION.fullmatch(text)
    kind = kinds.get(found["name"]) if found is not None else None
    if found is None or kind is None:
        near = did_you_mean_one_of(text if found is None else found["name"], kinds)
        raise ToolkitError(f"--fault {text!r} is not a fault", hint=f"{near}faults: {', '.join(kinds)}")
    name = found["name"]
    if found["pod"] is not None and not kind.hits_pod:
        listed = ", ".join(each for each, of in kinds.items() if of.hits_pod)
        raise ToolkitError(f"--fault {text!r}: {name} does not hit one pod", hint=f"faults of a pod: {listed}")
    if found["lasts"] is not None and kind.lasts is None:
        listed = ", ".join(each for each, of in kinds.items() if of.lasts is not None)
        hint = f"faults with a duration: {listed}" if listed else f"leave ={found['lasts']} out"
        raise ToolkitError(f"--fault {text!r}: {name} has no duration", hint=hint)
    seconds, step = _moment(text, found["moment"])
    return Fault(
        name=name,
        seconds=0 if found["moment"] is None and kind.at_start else seconds,
        step=step,
        pod=None if found["pod"] is None else int(found["pod"]),
        lasts=None if found["lasts"] is None else _duration(text, found["lasts"]),
    )


def _moment(text: str, moment: str | None) -> tuple[int | None, int | None]:
    """Seconds or step; both None without a moment."""
    if moment is None:
        return None, None
    step = _STEP.fullmatch(moment)
    return (None, int(step["step"])) if step is not None else (_duration(text, moment, " or step=12"), None)


def _duration(text: str, duration: str, more: str = "") -> int:
    found = _DURATION.fullmatch(duration)
    if found is None:
        raise ToolkitError(f"--fault {text!r}: {duration!r} is not a time", hint=f"write 90s, 25m, 2h{more}")
    return int(found["number"]) * UNITS[found["unit"]]
