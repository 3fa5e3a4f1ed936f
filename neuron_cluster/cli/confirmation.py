"""Asking before something is built or deleted."""

from __future__ import annotations

import sys

from neuron_cluster.errors import ToolkitError


class NotConfirmedError(ToolkitError):
    """Nobody confirmed; nothing was changed."""

    finding_id = "E9525"


def confirm(question: str, name: str) -> None:
    """Asks the person to type ``yes`` or the environment's name.

    Raises ``NotConfirmedError`` for any other answer, and where there is nobody to ask.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        raise NotConfirmedError(f"{question} There is no terminal to ask on", hint="add --yes to go on without asking")
    print(f"{question} Type yes or {name}: ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip() not in ("yes", name):
        raise NotConfirmedError("not confirmed; nothing was changed")
