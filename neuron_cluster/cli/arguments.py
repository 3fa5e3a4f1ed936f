"""The arguments that several verbs share, and how a verb's help is laid out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import Any

from neuron_cluster.cli.columns import HelpFormatter

Run = Callable[[argparse.Namespace], int]
Verbs = Any
"""argparse's collection of sub-parsers, whose class has no public name."""


SARIF = "sarif"
"""The format of findings that code scanning services read; a verb that has them accepts it in addition to JSON."""


def add_verb(
    verbs: Verbs,
    name: str,
    run: Run,
    *,
    summary: str,
    text: str,
    examples: str,
    has_sarif: bool = False,
    has_project: bool = True,
    formats: Sequence[str] = (),
    more_formats: Mapping[str, str] = MappingProxyType({}),
) -> argparse.ArgumentParser:
    """Adds one verb with ``--format`` and, unless it reads no project, ``--project``; its help ends with examples.

    ``formats`` are those of a verb that prints neither text nor JSON; the first is the default.
    ``more_formats`` are those in addition to text and JSON, with a description of each.
    """
    parser: argparse.ArgumentParser = verbs.add_parser(
        name,
        help=summary,
        description=text,
        epilog=f"examples:\n{examples}",
        formatter_class=HelpFormatter,
    )
    parser.set_defaults(run=run)
    if formats:
        help_text = f"output format: {' or '.join(formats)} (default: {formats[0]})"
        parser.add_argument("--format", choices=formats, default=formats[0], help=help_text)
    else:
        add_format(parser, has_sarif=has_sarif, more=more_formats)
    if has_project:
        help_text = "folder with cdk.json and environments/ (default: this folder or a parent)"
        parser.add_argument("--project", metavar="DIR", help=help_text)
    return parser


def add_format(
    parser: argparse.ArgumentParser, *, has_sarif: bool = False, more: Mapping[str, str] = MappingProxyType({})
) -> None:
    """The form of what is printed."""
    choices = ("text", "json", *((SARIF,) if has_sarif else ()), *more)
    sarif = ", or sarif 2.1.0 (findings only) for code scanning" if has_sarif else ""
    others = "".join(f", {name} for {what}" for name, what in more.items())
    help_text = f"output format: text (default), json for scripts{sarif}{others}"
    parser.add_argument("--format", choices=choices, default="text", help=help_text)


def add_environment(parser: argparse.ArgumentParser) -> None:
    """The one environment that a verb works on."""
    parser.add_argument(
        "environment", metavar="NAME", help="name of an environment in environments/, or path of a file"
    )


def add_local_lock(parser: argparse.ArgumentParser) -> None:
    """The option of verbs that read a lock and make no AWS call."""
    parser.add_argument("--local", action="store_true", help="read the lock of the local AWS, as `deploy --local` does")


def add_as_of(parser: argparse.ArgumentParser) -> None:
    """The day that support dates and the windows of capacity blocks are held against."""
    parser.add_argument(
        "--as-of",
        metavar="DATE",
        type=a_day,
        help="date to check support periods and capacity blocks against, such as 2026-11-21 (default: today, UTC)",
    )


def as_of(options: argparse.Namespace) -> date:
    """The day of the option, else today (UTC). Nothing below the command line reads the clock."""
    day: date | None = options.as_of
    return day or today()


def as_of_now(options: argparse.Namespace) -> date:
    """The day of the option, else today with the time of day (UTC), by which a capacity block ends."""
    from neuron_cluster.rules.block_window import Today

    day: date | None = options.as_of
    return day or Today.at(datetime.now(UTC))


def today() -> date:
    """The current day (UTC)."""
    return datetime.now(UTC).date()


def a_day(text: str) -> date:
    """A date as YYYY-MM-DD and in no other form. Raises ``ArgumentTypeError``."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:  # Python also reads 20261121 and 2026-W47-6
        raise argparse.ArgumentTypeError(f"{text!r} is not a date: expected year-month-day, such as 2026-11-21")
    return day


def an_account(text: str) -> str:
    """An AWS account id. Raises ``ArgumentTypeError``."""
    if not (len(text) == len("111122223333") and text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not an account id: twelve digits")
    return text


def a_region(text: str) -> str:
    """A Region of the catalog. Raises ``ArgumentTypeError``."""
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.findings.suggestions import did_you_mean

    catalog = load_catalog()
    if catalog.regions.get(text) is None:
        suggestion = did_you_mean(catalog.regions.similar(text)).rstrip()
        raise argparse.ArgumentTypeError(f"{text!r} is not a known Region{suggestion and f'; {suggestion}'}")
    return text
