"""Names that look like the one that was given, for "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

MAX_SUGGESTIONS = 3
MAX_CACHED = 256
"""Names of one run: the same mistake is often made in each item of a list."""
MISSPELT = 0.8
"""How much of two names must be the same: one letter of five may be another."""


def suggestions(name: str, known: Iterable[str]) -> list[str]:
    """At most three known names that resemble ``name``, the nearest first; case does not count."""
    return list(_suggestions(name, tuple(known)))


@lru_cache(MAX_CACHED)
def _suggestions(name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    import difflib  # only a wrong name pays for this import

    by_lower_case = {candidate.lower(): candidate for candidate in known}
    found = difflib.get_close_matches(name.strip().lower(), by_lower_case, n=MAX_SUGGESTIONS)
    return tuple(by_lower_case[lower] for lower in found)


def is_misspelt(name: str, known: str) -> bool:
    """Whether ``name`` is so near to the known one that nothing else can have been meant; case does not count."""
    import difflib

    return difflib.SequenceMatcher(None, name.strip().lower(), known.lower()).ratio() >= MISSPELT


def did_you_mean(near: Sequence[str]) -> str:
    """The beginning of a hint, ``did you mean a, b or c? ``; empty when no known name is near."""
    if not near:
        return ""
    *first, last = near
    return f"did you mean {', '.join(first)} or {last}? " if first else f"did you mean {last}? "


def did_you_mean_one_of(name: str, known: Iterable[str]) -> str:
    """As ``did_you_mean``, with the known names that resemble ``name``."""
    return did_you_mean(suggestions(name, known))
