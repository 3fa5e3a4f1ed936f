"""The options of `workload` verbs: added as schedulers declare them, and read for one scheduler."""

from __future__ import annotations

import argparse
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Any

from neuron_cluster.cli.arguments import add_environment
from neuron_cluster.errors import ToolkitError
from neuron_cluster.protocol.option import PLACING
from neuron_cluster.protocol.schedulers import schedulers

if TYPE_CHECKING:
    from neuron_cluster.protocol.option import Option
    from neuron_cluster.protocol.scheduler import Scheduler


def add_workload(parser: argparse.ArgumentParser, verb: str) -> None:
    """A workload, an environment, and the options that several verbs have for placing it."""
    parser.add_argument("chart", metavar="CHART", help="a workload or job, as `workload list` shows it")
    add_environment(parser)
    _add(parser, [option for option in _declared(verb) if _is_for_placing(option)], [])
    parser.set_defaults(usage_error=parser.error)


def add_own_options(parser: argparse.ArgumentParser, verb: str) -> None:
    """The other options of the verb. Those that each of its schedulers requires are required by the parser."""
    required = [] if verb in NAMED_BY_THE_VERB else required_options(verb)
    _add(parser, [option for option in _declared(verb) if not _is_for_placing(option)], required)
    parser.set_defaults(usage_error=parser.error)


NAMED_BY_THE_VERB = ("list", "why")
"""Verbs that need options of schedulers in some uses only, and report them themselves."""


def add_refused_options(parser: argparse.ArgumentParser, verb: str, *, own: Container[str]) -> None:
    """Options of schedulers without the verb: read, so that their error is about the workload, and not in the help.

    ``own`` are options of the verb that have the name of one of them.
    """
    known = {option.name for option in _declared(verb)}
    for scheduler in schedulers():
        for option in scheduler.options if verb not in scheduler.verbs else ():
            if option.name not in known and option.name not in own:
                many: dict[str, Any] = {"nargs": argparse.REMAINDER} if option.takes_rest else {"action": "append"}
                parser.add_argument(option.name, dest=option.destination, default=[], help=argparse.SUPPRESS, **many)


def _is_for_placing(option: Option) -> bool:
    return len(set(option.verbs).intersection(PLACING)) > 1


def _declared(verb: str) -> Iterator[Option]:
    """Each once."""
    found = set()
    for scheduler in schedulers():
        for option in scheduler.options_of(verb) if verb in scheduler.verbs else ():
            if option.name not in found:
                found.add(option.name)
                yield option


def _add(parser: argparse.ArgumentParser, options: list[Option], required: list[Option]) -> None:
    places: dict[str, Any] = {"": parser}
    for option in options:
        place = option.heading or option.excludes
        if place not in places:
            places[place] = (
                parser.add_argument_group(place) if option.heading else parser.add_mutually_exclusive_group()
            )
        needed = {"required": True} if option in required else {}
        places[place].add_argument(option.name, **option.arguments, **needed)


def required_options(verb: str) -> list[Option]:
    """Options that every scheduler with this verb requires."""
    declared = [
        [option for option in each.options_of(verb) if verb in option.required_by]
        for each in schedulers()
        if verb in each.verbs
    ]
    return [option for option in declared[0] if all(option in others for others in declared)] if declared else []


def missing_options(scheduler: Scheduler, options: argparse.Namespace, verb: str) -> list[str]:
    """Names of required options that are not given."""
    needed = (option for option in scheduler.options_of(verb) if verb in option.required_by)
    return [option.name for option in needed if not getattr(options, option.destination)]


def require_options(scheduler: Scheduler, options: argparse.Namespace, verb: str) -> None:
    """Ends with a usage error where one is missing."""
    missing = missing_options(scheduler, options, verb)
    if missing:
        options.usage_error(f"the following arguments are required: {', '.join(missing)}")


def require_own_options(scheduler: Scheduler, name: str, options: argparse.Namespace) -> None:
    """Raises ``ToolkitError`` for a given option that only other schedulers declare. ``name``: of the workload."""
    own = {option.destination for option in scheduler.options}
    for other in schedulers():
        for option in other.options:
            if option.destination not in own and getattr(options, option.destination, None):
                raise ToolkitError(
                    f"{option.name} is an option of {other.kind}s, and {name} is a {scheduler.kind}",
                    hint=scheduler.options_hint,
                )


def option_values(scheduler: Scheduler, options: argparse.Namespace, verb: str) -> dict[str, Any]:
    """The values of its options by destination."""
    return {option.destination: getattr(options, option.destination) for option in scheduler.options_of(verb)}
