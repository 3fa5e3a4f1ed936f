"""Options of `workload` that schedulers declare; the parser adds each to the verbs that the option names."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

PLACING = ("render", "submit", "rehearse")
"""Verbs that place a workload."""


class Option(Struct, frozen=True):
    """One option. Schedulers that declare an equal option share it."""

    name: str
    help: str
    metavar: str | None = None
    """None: a flag without a value."""
    read: Callable[[str], Any] | None = None
    """Converts the text. Raises ``ArgumentTypeError``."""
    stored_as: str = ""
    """Name of its value; empty: that of the option."""
    verbs: tuple[str, ...] = PLACING
    required_by: tuple[str, ...] = ()
    """Verbs for which a user must give it."""
    is_repeated: bool = False
    takes_rest: bool = False
    """Whether its values are all words to the end of the line."""
    heading: str = ""
    """The help lists it there; empty: among the options of the verb."""
    excludes: str = ""
    """Options with the same word here exclude each other."""

    @property
    def destination(self) -> str:
        """Name of its value."""
        return self.stored_as or self.name.removeprefix("--").replace("-", "_")

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


GROUP = Option("--group", "node group or compute node group (default: the only one that fits)", "GROUP")
NODES = Option("--nodes", "number of nodes of the job, or of one replica", "N", a_count)
QUEUE = Option("--queue", "queue (default: the group's; with Kueue '' for none)", "QUEUE")
MODEL_CONFIG = Option(
    "--model-config",
    "config.json of the model, to check whether it can be divided and fits Neuron devices and host",
    "FILE",
    Path,
)
