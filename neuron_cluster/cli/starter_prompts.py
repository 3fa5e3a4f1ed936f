"""The prompts of ``init`` and ``new`` on a terminal: allowed values, a default, and again until the input is valid."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Value = TypeVar("Value")


def prompt(name: str, default: str, parse: Callable[[str], Value], allowed: Iterable[str] = ()) -> Value:
    """Until the input is valid. Raises ``ToolkitError`` at the end of the input."""
    from neuron_cluster.errors import ToolkitError

    values = f" ({', '.join(allowed)})" if allowed else ""
    while True:
        print(f"{name}{values}{f' [{default}]' if default else ''}: ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            raise ToolkitError("the input has ended; nothing was written", hint=f"add --{name}")
        try:
            return parse(line.strip() or default)
        except argparse.ArgumentTypeError as error:
            print(error, file=sys.stderr)
        except ToolkitError as error:
            print(f"{error.message}; {error.hint}", file=sys.stderr)


def prompt_for(name: str, parse: Callable[[str], Value], allowed: Iterable[str]) -> Value | None:
    """As ``prompt``; None for an empty line."""
    return prompt(name, "", lambda text: parse(text) if text else None, allowed)
