"""The commands that an event ran: written by the programs themselves, one line each, read when the event is over."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

LOG_VARIABLE = "NEURON_CLUSTER_COMMAND_LOG"
WAITS_FOR = "waits_for"
"""The key of an event for which a command would wait without end: it ends with ``HUNG`` instead."""
HUNG = 3


class RanCommand(NamedTuple):
    """One command as the function ran it; the event's folders appear as ``/tmp``, which they are in a Lambda.

    No Struct as elsewhere: a program starts four times for a chart, and msgspec would be a third of it.
    """

    program: str
    arguments: tuple[str, ...]
    status: int
    complaint: str
    """The text on standard error when it failed."""
    asked: Mapping[str, Any]
    """The request as the program read it: the release, the values, the objects, …"""

    @property
    def hangs(self) -> bool:
        return self.status == HUNG

    @property
    def line(self) -> list[str]:
        return [self.program, *self.arguments]


class CommandFailed(Exception):  # a result, not a fault of ours
    """Ends a program with exit status 1 and this text on standard error, as the real one ends."""

    status = 1


class CommandUnknown(CommandFailed):
    """A use of a program that nothing here answers: fails the event even where the function swallows a failure."""

    status = 2


class Arguments(argparse.ArgumentParser):
    """A command line on which anything unknown fails loudly, so that no option is lost in silence."""

    def __init__(self, program: str) -> None:
        super().__init__(prog=program, add_help=False, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise CommandUnknown(f"the local AWS does not know this use of {self.prog}: {message}")


def answer(program: str, arguments: list[str], body: Callable[[list[str]], Mapping[str, Any]]) -> int:
    """Runs a program's body and logs the command; gives its exit status."""
    asked: Mapping[str, Any] = {}
    status, complaint = 0, ""
    try:
        asked = body(arguments)
        status = HUNG if asked.get(WAITS_FOR) else 0
    except CommandFailed as failure:
        status = failure.status
        complaint = _as_in_lambda(str(failure)).strip()
        sys.stderr.write(f"{complaint}\n")
    ran = RanCommand(program, tuple(map(_as_in_lambda, arguments)), status, complaint, asked)
    with Path(os.environ[LOG_VARIABLE]).open("a", encoding="utf-8") as log:
        log.write(json.dumps(ran._asdict(), default=str) + "\n")
    return ran.status


def facts() -> dict[str, Any]:
    """Returns facts of the local AWS for the event (``EventContext.facts``)."""
    path = Path(os.environ["TEST_OUTDIR"]).parent / "facts.json"
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read


def read_log(path: Path) -> tuple[RanCommand, ...]:
    """The commands in the order in which they ended."""
    if not path.exists():
        return ()
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return tuple(RanCommand(**{**row, "arguments": tuple(row["arguments"])}) for row in rows)


def _as_in_lambda(text: str) -> str:
    return text.replace(os.environ["TEST_OUTDIR"], "/tmp").replace(os.environ["TMPDIR"], "/tmp")  # noqa: S108 - a name
