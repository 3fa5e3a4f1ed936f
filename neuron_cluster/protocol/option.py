"""Options of `workload` that schedulers declare; the parser adds each to the verbs that the option names."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

PLACING = ("render", "submit", "rehearse")
"""Verbs that place a workload."""


class Option(Struct, frozen=True, kw_only=True):
    """One option. Schedulers that declare an equal option share it."""

    name: str
    destination: str
    """Name of its value."""
    help: str
    verbs: tuple[str, ...] = PLACING
    required_by: tuple[str, ...] = ()
    """Verbs for which a user must give it."""
    metavar: str | None = None
    """None: a flag without a value."""
    read: Callable[[str], Any] | None = None
    """Converts the text. Raises ``ArgumentTypeError``."""
    is_repeated: bool = False
    takes_rest: bool = False
    """Whether its values are all words to the end of the line."""
    heading: str = ""
    """The help lists it there; empty: among the options of the verb."""
    excludes: str = ""
    """Options with the same word here exclude each other."""

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of ``ArgumentParser.add_argument``."""
        found: dict[str, Any] = {"dest": self.destination, "help": self.help}
        if self.metavar is None:
            return {**found, "action": "store_true"}
        found |= {"metavar": self.metavar, "type": self.read}
        if self.takes_rest:
            return {**found, "nargs": argparse.REMAINDER, "default": []}
        return {**found, "action": "append", "default": []} if self.is_repeated else found


def a_count(text: str) -> int:
    """A whole number from 1. Raises ``ArgumentTypeError``."""
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a count: expected a whole number of at least 1")
    return int(text)


GROUP = Option(
    name="--group",
    destination="group",
    metavar="GROUP",
    help="node group or compute node group (default: the only one that fits)",
)
NODES = Option(
    name="--nodes",
    destination="nodes",
    metavar="N",
    read=a_count,
    help="number of nodes of the job, or of one replica",
)
QUEUE = Option(
    name="--queue",
    destination="queue",
    metavar="QUEUE",
    help="queue (default: the group's; with Kueue '' for none)",
)
MODEL_CONFIG = Option(
    name="--model-config",
    destination="model_config",
    metavar="FILE",
    read=Path,
    help="config.json of the model, to check whether it can be divided and fits Neuron devices and host",
)
