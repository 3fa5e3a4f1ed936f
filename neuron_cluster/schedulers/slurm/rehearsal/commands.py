"""Commands of Slurm that a job calls: programs of its nodes that write a request, and wait for the answer.

Only what the scripts of ``scripts/jobs`` call is answered: srun of one task on each node, ``scancel --signal=TERM JOB``
and ``scontrol requeue Incomplete JOB``.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

FOLDER = "/run/rehearsal-slurm"
"""Folder of a container with requests and answers."""
COMMANDS = ("srun", "scancel", "scontrol")
STAND_IN = Path(__file__).with_name("stand_ins") / "slurm_command.py"


class SlurmRequest(Struct, frozen=True):
    """A call of a command. ``answer`` takes exit status and standard error, and may be called later."""

    command: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    answer: Callable[[int, str], None]

    @property
    def options(self) -> dict[str, str]:
        """Options before the first other word: values by name, empty for one without a value."""
        pairs = (word.partition("=") for word in self.arguments[: self._option_count])
        return {name: value for name, _, value in pairs}

    @property
    def words(self) -> tuple[str, ...]:
        """The words after the options: of srun, the program with its arguments."""
        return self.arguments[self._option_count :]

    @property
    def _option_count(self) -> int:
        are_options = (word.startswith("-") for word in self.arguments)
        return next((number for number, is_one in enumerate(are_options) if not is_one), len(self.arguments))


def write_commands(folder: Path) -> None:
    """The programs, for a folder of a container. They start with the interpreter that containers have."""
    text = f"#!{Path(sys.base_prefix) / 'bin' / 'python3'}\n{STAND_IN.read_text(encoding='utf-8')}"
    folder.mkdir(parents=True)
    for name in COMMANDS:
        program = folder / name
        program.write_text(text, encoding="utf-8")
        program.chmod(0o755)


def requests(folder: Path) -> Iterator[SlurmRequest]:
    """New requests; ``folder`` is that which containers see at ``FOLDER``."""
    for file in sorted(folder.glob("*.request")):
        given = json.loads(file.read_text(encoding="utf-8"))
        file.unlink()
        yield SlurmRequest(
            command=given["command"],
            arguments=tuple(given["arguments"]),
            environment=given["environment"],
            answer=_answering(file.with_suffix(".answer")),
        )


def _answering(fifo: Path) -> Callable[[int, str], None]:
    def answer(status: int, message: str = "") -> None:
        try:
            opened = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # the command was killed meanwhile
            return
        with contextlib.suppress(BrokenPipeError), os.fdopen(opened, "wb") as stream:
            stream.write(json.dumps([status, message]).encode() + b"\n")

    return answer
