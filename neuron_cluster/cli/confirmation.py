"""Asking before something is built or deleted."""

from __future__ import annotations

import sys

from neuron_cluster.errors import ToolkitError


class NotConfirmedError(ToolkitError):
    """The prompt was not confirmed; nothing was changed."""

    finding_id = "E9525"


def confirm(question: str, name: str) -> None:
    """Asks the person to type ``yes`` or the environment's name.

    Raises ``NotConfirmedError`` for any other input, and without a terminal.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        raise NotConfirmedError(
            f"{question} Standard input is not a terminal", hint="add --yes to continue without the prompt"
        )
    print(f"{question} Type yes or {name}: ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip() not in ("yes", name):
        raise NotConfirmedError("not confirmed; nothing was changed")
