"""The words of `vocabulary.yaml`: what each thing is called, and the patterns that no text for a user may contain."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import yaml
from msgspec import Struct

DATA = Path(__file__).with_name("vocabulary.yaml")
WORD = r"\b"


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """One term with its definition, or one phrase to ``write`` in place of others."""

    term: str = ""
    definition: str = ""
    write: str = ""
    in_place: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()
    """Regular expressions, searched without case in texts."""
    allow: tuple[str, ...] = ()
    """Regular expressions of what is skipped."""
    names: tuple[str, ...] = ()
    """Words that no name of a module or class contains."""

    @property
    def replacement(self) -> str:
        return self.write or ", ".join((self.term, *(other.term for other in vocabulary().others_for(self))))


class Docstrings(Struct, frozen=True, forbid_unknown_fields=True):
    """Words that docstrings do not start with, and words that they do not contain, with what to write."""

    first_words: tuple[str, ...]
    words: dict[str, str]


class Vocabulary(Struct, frozen=True, forbid_unknown_fields=True):
    """Every entry, in the order of the file."""

    terms: tuple[Entry, ...]
    phrases: tuple[Entry, ...]
    docstrings: Docstrings

    def others_for(self, entry: Entry) -> list[Entry]:
        """Other terms that replace one of the same words."""
        return [other for other in self.terms if other is not entry and set(other.in_place) & set(entry.in_place)]


@functools.cache
def vocabulary() -> Vocabulary:
    """Raises ``msgspec.ValidationError`` for a file with an unknown key."""
    return msgspec.convert(yaml.safe_load(DATA.read_text(encoding="utf-8")), Vocabulary)


def banned_phrases(text: str) -> Iterator[str]:
    """``"refuses": write rejects`` for each match in a text; line breaks count as spaces."""
    line = " ".join(text.split())
    if not _any_banned().search(line):
        return
    for entry, patterns, allowed in _compiled():
        rest = allowed.sub(" ", line) if allowed is not None else line
        for pattern in patterns:
            for found in pattern.finditer(rest):
                around = rest[max(0, found.start() - 40) : found.end() + 30]
                yield f'"{found[0]}" in "…{around}…": write {entry.replacement}'


def banned_name_words(name: str) -> Iterator[str]:
    """``"refusal": write violation`` for each banned word of a module or class name."""
    words = set(re.findall(r"[a-z]+", re.sub(r"([A-Z])", r"_\1", name).lower()))
    for word in sorted(words & _entries_of_names().keys()):
        yield from (f'"{word}": write {entry.replacement}' for entry in _entries_of_names()[word])


@functools.cache
def _entries_of_names() -> dict[str, list[Entry]]:
    """Returns the entries that ban a word in names, by the word."""
    found: dict[str, list[Entry]] = {}
    for entry in (*vocabulary().terms, *vocabulary().phrases):
        for word in entry.names:
            found.setdefault(word, []).append(entry)
    return found


@functools.cache
def _any_banned() -> re.Pattern[str]:
    """Most patterns begin at a word: it is looked for once, which takes a third of the time."""
    entries = (*vocabulary().terms, *vocabulary().phrases)
    patterns = [pattern for entry in entries for pattern in entry.banned]
    of_words = "|".join(each.removeprefix(WORD) for each in patterns if each.startswith(WORD))
    others = (each for each in patterns if not each.startswith(WORD))
    return re.compile("|".join([f"{WORD}(?:{of_words})", *others]), re.IGNORECASE)


@functools.cache
def _compiled() -> list[tuple[Entry, list[re.Pattern[str]], re.Pattern[str] | None]]:
    return [
        (entry, [re.compile(each, re.IGNORECASE) for each in entry.banned], _any_of(entry.allow))
        for entry in (*vocabulary().terms, *vocabulary().phrases)
    ]


def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str] | None:
    return re.compile("|".join(patterns), re.IGNORECASE) if patterns else None
