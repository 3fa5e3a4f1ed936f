"""The commands of the command line, from its parsers: `plan`, `workload`, `workload render`."""
# ruff: noqa: SLF001 - argparse keeps the arguments of a parser in private attributes alone

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

from neuron_cluster.cli.main import build_parser

Argument = argparse.Action


class Command(NamedTuple):
    """One verb or action: its name (``workload status``), its line in the list of commands, its parser."""

    name: str
    summary: str
    parser: argparse.ArgumentParser

    @property
    def slug(self) -> str:
        """The name of its files."""
        return self.name.replace(" ", "-")

    @property
    def arguments(self) -> list[Argument]:
        """Its own in the help, without those of its actions."""
        return [argument for argument in self.parser._actions if _is_in_help(argument)]

    @property
    def groups(self) -> list[tuple[str, list[Argument]]]:
        """Title and arguments of each group that has any."""
        found = (
            (group.title or "", [each for each in group._group_actions if _is_in_help(each)])
            for group in self.parser._action_groups
        )
        return [(title, arguments) for title, arguments in found if arguments]

    @property
    def alternatives(self) -> list[tuple[list[Argument], bool]]:
        """Arguments of which a command line has one at most, and whether it must have one."""
        return [(group._group_actions, group.required) for group in self.parser._mutually_exclusive_groups]

    @property
    def metavar(self) -> str:
        """The word for a command of this one; empty if it has none."""
        found = [str(argument.metavar) for argument in self.parser._actions if _is_list_of_commands(argument)]
        return "".join(found)

    @property
    def below(self) -> list[Command]:
        """Its commands, in the order of the help."""
        return [
            Command(f"{self.name} {name}".strip(), summaries[name] or "", parser)
            for action in self.parser._actions
            if isinstance(action, argparse._SubParsersAction)
            for summaries in [{each.dest: each.help for each in action._choices_actions}]
            for name, parser in action.choices.items()
        ]

    @property
    def formats(self) -> tuple[str, ...]:
        """The values of ``--format``; none for a command that does not accept it."""
        return next((tuple(each.choices or ()) for each in self.arguments if each.dest == "format"), ())


def program() -> Command:
    """`neuron-cluster` itself."""
    return Command("", "", build_parser())


def commands(of: Command | None = None) -> Iterator[Command]:
    """Every command, a verb before its actions."""
    for command in (of or program()).below:
        yield command
        yield from commands(command)


def _is_list_of_commands(argument: Argument) -> bool:
    return isinstance(argument, argparse._SubParsersAction)


def _is_in_help(argument: Argument) -> bool:
    return not _is_list_of_commands(argument) and argument.help is not argparse.SUPPRESS
