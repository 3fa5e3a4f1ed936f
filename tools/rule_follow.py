"""How the hint of a finding is followed, as the fixtures of the rules say it (``follow`` next to ``bad`` or in a case).

follow:
  - {eks.node_groups[1].efa: "off"}          # an edit; key and value must be words of the hint
  - {"@": ~delete~, "^.iops": 3004}          # @ is the place of the finding, ^ what holds it, ^^ what holds that
  - yours: {"@": [54.240.196.0/24]}          # the key is of the hint; the value only the user knows
  - edits: {network.nat: single}
    warns: [W1012]                           # warnings that the edit brings
    then: [{eks.version: 1.35}]              # what the hints of new errors ask for, one after the other
  - command                                  # the commands of the hint do it; a test parses them
  - lock                                     # likewise; tests/integ runs `neuron-cluster lock` and looks again
  - none: a support ticket                   # nothing to edit and nothing to run, with the reason
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

LONG = {"edits", "yours", "warns", "then", "none"}
CHART_VALUES = "eks.chart_values"
COMMANDS = ("command", "lock")


class Value(Struct, frozen=True):
    """A value that is written at a place. Values of charts have the type that YAML gives them; all others are texts."""

    text: Any
    typed: Any


class Follow(Struct, frozen=True):
    """One way to follow a hint: edits, commands, or nothing with a reason."""

    edits: dict[str, Value] = {}
    yours: dict[str, Value] = {}
    warns: tuple[str, ...] = ()
    then: tuple[Follow, ...] = ()
    command: str = ""
    none: str = ""

    @property
    def is_edit(self) -> bool:
        return bool(self.edits or self.yours)


def read_follows(given: Any, typed: Any) -> tuple[Follow, ...]:
    """The ways that a fixture names, once with texts and once with values as YAML types them."""
    if not isinstance(given, list):
        given, typed = [given], [typed]
    return tuple(_follow(one, other) for one, other in zip(given, typed, strict=True))


def placed(edits: dict[str, Value], place: str) -> dict[str, Any]:
    """Paths and values, with ``@`` and ``^`` written out for the place of a finding."""
    paths = {_written_out(path, place): value for path, value in edits.items()}
    return {path: value.typed if path.startswith(CHART_VALUES) else value.text for path, value in paths.items()}


def _follow(given: Any, typed: Any) -> Follow:
    if isinstance(given, str):
        if given not in COMMANDS:
            raise ValueError(f"{given} is no way to follow a hint")
        return Follow(command=given)
    if not given.keys() & LONG:
        return Follow(edits=_values(given, typed))
    thens = zip(given.get("then", ()), typed.get("then", ()), strict=True)
    return Follow(
        edits=_values(given.get("edits", {}), typed.get("edits", {})),
        yours=_values(given.get("yours", {}), typed.get("yours", {})),
        warns=tuple(given.get("warns", ())),
        then=tuple(_follow(one, other) for one, other in thens),
        none=given.get("none", ""),
    )


def _values(given: dict[str, Any], typed: dict[str, Any]) -> dict[str, Value]:
    return {path: Value(value, typed[path]) for path, value in given.items()}


def _written_out(path: str, place: str) -> str:
    if path.startswith("@"):
        return place + path[1:]
    ups = len(path) - len(path.lstrip("^"))
    for _ in range(ups):
        place = place.rpartition("[")[0] if place.endswith("]") else place.rpartition(".")[0]
    return place + path[ups:] if ups else path
