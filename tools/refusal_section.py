"""The section of docs/local-aws.md on refusals that no rule is behind: by module, each with what it answers and why."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from api_error_section import linked, plain
from aws_references import page_of
from refusal_sources import Refusal, refusals

WORDS_OF_OTHERS = "…"
"""What another service answered, or what the caller of a function says."""
LETTER = re.compile(r"\w")
MAX_NAMES = 10
"""Operations or types that are named one by one; of more, their number."""


def refusal_section() -> Iterator[str]:
    """Its lines."""
    found = refusals()
    yield "## API errors that are no rows yet\n"
    for module, group in groupby(found, key=lambda each: each.site.dotted):
        yield f"### {_title(module)}\n"
        yield from _module(list(group))
        yield ""
    named = {name for each in found if len(each.answers) <= MAX_NAMES for name in each.answers}
    yield from (f"[{name}]: {page_of(name)}" for name in sorted(named))
    yield ""


def _module(found: Sequence[Refusal]) -> Iterator[str]:
    groups: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for each in found:
        groups.setdefault((each.answers, each.source), []).append(_bullet(each))
    for (answers, source), bullets in groups.items():
        yield f"- {_answers(answers)}{f'. Source: {linked(source)}.' if source else ''}"
        yield from dict.fromkeys(bullets)


def _bullet(refusal: Refusal) -> str:
    words = plain(refusal.words) if LETTER.search(refusal.words) else WORDS_OF_OTHERS
    return f"  - {f'`{refusal.code}`: ' if refusal.code else ''}{words}"


def _answers(names: Sequence[str]) -> str:
    if len(names) <= MAX_NAMES:
        return ", ".join(f"[{name}]" for name in names)
    services = sorted({name.partition(":")[0] for name in names})
    noun = "resource types" if "AWS" in services else "operations"
    whose = "" if "AWS" in services else f" of {', '.join(services)}"
    return f"{len(names)} {noun}{whose}"


def _title(module: str) -> str:
    """The first sentence of a module."""
    words = inspect.cleandoc(importlib.import_module(module).__doc__ or "")
    return plain(words.partition("\n")[0].rstrip(".:"))
