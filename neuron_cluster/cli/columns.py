"""The width of the terminal as in ``shutil``, which loads four compression libraries first."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from typing import Any

USUAL_COLUMNS = 80


def columns(otherwise: int) -> int:
    """Columns of the variable COLUMNS, of the terminal, else this many."""
    with contextlib.suppress(ValueError):
        if (wanted := int(os.environ.get("COLUMNS", "0"))) > 0:
            return wanted
    terminal = sys.__stdout__
    with contextlib.suppress(ValueError, OSError):
        if terminal is not None and (found := os.get_terminal_size(terminal.fileno()).columns) > 0:
            return found
    return otherwise


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """argparse makes one for each argument that is added, and would ask ``shutil`` each time."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **{"width": columns(USUAL_COLUMNS) - 2, **options})

    def add_argument(self, action: argparse.Action) -> None:
        """argparse measures verbs without their indentation, so that the longest one gets a line of its own."""
        super().add_argument(action)
        if action.help is not argparse.SUPPRESS:
            verbs = [self._format_action_invocation(verb) for verb in self._iter_indented_subactions(action)]
            indent = self._current_indent + self._indent_increment
            self._action_max_length = max([self._action_max_length, *(len(verb) + indent for verb in verbs)])

    def _split_lines(self, text: str, width: int) -> list[str]:
        """The help of an argument; argparse would break the commands in it."""
        from neuron_cluster.report.wrapped import wrapped

        return wrapped(text, width)
