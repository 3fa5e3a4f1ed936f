"""The parser of the command line: it names what is near to an argument that it does not know."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

MOST_LISTED = 8
"""Values that an error lists; of more it names the command that lists them."""


class Parser(argparse.ArgumentParser):
    """Errors say what was given, what is near, and what is allowed, without control characters of the arguments."""

    def error(self, message: str) -> NoReturn:
        from neuron_cluster.findings.text import printable

        super().error(printable(message))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Raises ``SystemExit`` for an unknown option before a missing argument is noticed: one may be the other."""
        for name in self._unknown_options(args or ()):
            self.error(self._about_option(name))
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            option = next((each for each in rest if each.startswith("-")), None)
            self.error(self._about_option(option) if option else f"unexpected argument: {' '.join(rest)}")
        return found, rest

    def commands(self) -> dict[str, Parser]:
        """The parsers of its verbs or actions; none for a verb without actions."""
        found = (each.choices for each in self._actions if isinstance(each, argparse._SubParsersAction))  # noqa: SLF001
        return {name: parser for choices in found for name, parser in choices.items()}

    def _unknown_options(self, arguments: Sequence[str]) -> Iterator[str]:
        """Unknown long options, up to a verb or action, whose parser knows the rest. A known one may be shortened."""
        has_commands = bool(self.commands())
        takes_rest = [name for name, each in self._option_string_actions.items() if each.nargs == argparse.REMAINDER]
        for argument in arguments:
            name = argument.partition("=")[0]
            is_option = name.startswith("--") and " " not in name
            if argument == "--" or (has_commands and not argument.startswith("-")):
                return
            if is_option and any(known.startswith(name) for known in takes_rest):
                return
            if is_option and not any(known.startswith(name) for known in self._option_string_actions):
                yield name

    def _about_option(self, argument: str) -> str:
        from neuron_cluster.cli.near_names import near_options
        from neuron_cluster.findings.suggestions import did_you_mean

        name = argument.partition("=")[0]
        near = did_you_mean(near_options(name, list(self._option_string_actions))).rstrip()
        return f"unknown option {name}; {near or f'`{self.prog} --help` lists the options'}"

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """argparse lists each of the choices in one line, however many there are."""
        if action.choices is None or value in action.choices:
            return
        from neuron_cluster.cli.near_names import near_values
        from neuron_cluster.findings.suggestions import did_you_mean

        choices = [str(each) for each in action.choices]
        what = action.option_strings[-1] if action.option_strings else str(action.metavar or action.dest).lower()
        given = f"{what} {value} is unknown" if action.option_strings else f"unknown {what} {value}"
        near = did_you_mean(near_values(str(value), choices, self.commands()))
        lists = f"allowed: {', '.join(choices)}" if len(choices) <= MOST_LISTED else f"`{self.prog} --help` lists all"
        raise argparse.ArgumentError(None, f"{given}; {near}{lists}")
