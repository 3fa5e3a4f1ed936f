"""Options among the arguments of a program, written ``--name=value`` or as two arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

LONGEST = 9
"""Digits of a number that is read."""
NO_SHORT_FORMS: Mapping[str, str] = {}


class Option(Struct, frozen=True):
    """``name`` is the long form with dashes, ``text`` what was written, ``value`` empty where no value follows."""

    name: str
    text: str
    value: str


def options_in(arguments: Sequence[str], short: Mapping[str, str] = NO_SHORT_FORMS) -> Iterator[Option]:
    """The options in their order. ``--name.key=value`` is one of ``--name``, and has the key in its value."""
    for position, argument in enumerate(arguments):
        if not argument.startswith("-") or argument.strip("-").isdecimal():
            continue
        written, equals, value = argument.partition("=")
        following = "".join(arguments[position + 1 : position + 2])
        value = value if equals else "" if following.startswith("-") else following
        name, dot, key = written.partition(".")
        long = name.replace("_", "-") if name.startswith("--") else short.get(name, name)
        text = argument if equals or not value else f"{argument} {value}"
        yield Option(long, text, f"{key}={value}" if dot else value)


def option_of(arguments: Sequence[str], *names: str) -> str | None:
    """The value of the last option with one of the names, which is the one that counts; None without it."""
    found = [each.value for each in options_in(arguments) if each.name in names]
    return found[-1] if found else None


def whole_option(arguments: Sequence[str], *names: str) -> int | None:
    """A number above 0; None for another value, which the program reports."""
    found = option_of(arguments, *names)
    return int(found) if found is not None and found.isdecimal() and len(found) <= LONGEST and int(found) else None
