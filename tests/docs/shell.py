"""The simple commands of a shell line, without running it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
SUBSTITUTION = re.compile(r"\$\(([^()]+)\)")
SEPARATORS = re.compile(r"[;&|()]+")
REDIRECTION = re.compile(r"[<>]+&?")


def simple_commands(line: str) -> Iterator[list[str]]:
    """The words of each command of a line: those of pipes, lists and substitutions, without redirections."""
    lexer = shlex.shlex(line.replace("\\\n", " "), posix=True, punctuation_chars="();<>|&")
    lexer.whitespace_split = True
    command: list[str] = []
    is_target = False
    for word in lexer:
        if SEPARATORS.fullmatch(word):
            yield from _named(command)
            command = []
        elif REDIRECTION.fullmatch(word):
            is_target = True
        elif is_target:
            is_target = False
        else:
            for inner in SUBSTITUTION.findall(word):  # in a quoted word
                yield from simple_commands(inner)
            command.append(word)
    yield from _named(command)


def _named(command: list[str]) -> Iterator[list[str]]:
    """Without assignments before the command; `NAME=$(…)` leaves `NAME=$`, which is one."""
    first = next((place for place, word in enumerate(command) if not ASSIGNMENT.match(word)), len(command))
    if command[first:]:
        yield command[first:]
