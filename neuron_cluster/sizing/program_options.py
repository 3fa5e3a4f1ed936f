"""Options of a program in its words, written ``--name=value`` or as two words."""

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


def options_in(words: Sequence[str], short: Mapping[str, str] = NO_SHORT_FORMS) -> Iterator[Option]:
    """The options in their order. ``--name.key=value`` is one of ``--name``, and has the key in its value."""
    for position, word in enumerate(words):
        if not word.startswith("-") or word.strip("-").isdecimal():
            continue
        written, equals, value = word.partition("=")
        following = "".join(words[position + 1 : position + 2])
        value = value if equals else "" if following.startswith("-") else following
        name, dot, key = written.partition(".")
        long = name.replace("_", "-") if name.startswith("--") else short.get(name, name)
        text = word if equals or not value else f"{word} {value}"
        yield Option(long, text, f"{key}={value}" if dot else value)


def option_of(words: Sequence[str], *names: str) -> str | None:
    """The value of the last option with one of the names, which is the one that counts; None without it."""
    found = [each.value for each in options_in(words) if each.name in names]
    return found[-1] if found else None


def whole_option(words: Sequence[str], *names: str) -> int | None:
    """A number above 0; None for another value, which the program reports."""
    found = option_of(words, *names)
    return int(found) if found is not None and found.isdecimal() and len(found) <= LONGEST and int(found) else None
