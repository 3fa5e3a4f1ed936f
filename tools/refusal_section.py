"""The section of docs/local-aws.md on refusals that no rule is behind: by module, each with what it answers and why."""

from __future__ import annotations

import importlib
import inspect
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from aws_references import page_of, references
from refusal_sources import Kind, Refusal, refusals

WORDS_OF_OTHERS = "…"
"""What another service answered, or what the caller of a function says."""
LETTER = re.compile(r"\w")
MAX_NAMES = 10
"""Operations or types that are named one by one; of more, their number."""
ADDRESS = re.compile(r"https://\S+?(?=[;,.]?(?:\s|$))")
THREAD = re.compile(r"\b([\w.-]+/[\w.-]+)#(\d+)")
INTRODUCTION = """\
{number} more, in the words they are made with; `…` is what the call tells or another service answers. They stand under
the operations whose code comes to them, or under the resource types, and each has a source:

{kinds}

Where no source is named, it is the page to which the name of the operation or type leads; codes that any operation of
a service may answer with stand on a page of their own: {pages}.
A test compares the codes with botocore's models and with what was noted of these pages. AWS documents when a
service rejects a call and with which code, but rarely the message: messages are written as the services are known to
write them, without queries to an account.
"""


def refusal_section() -> Iterator[str]:
    """Its lines."""
    found = refusals()
    yield "## Other API errors\n"
    pages = {f"error codes of {service}": each.errors for service, each in references().items() if each.errors}
    yield INTRODUCTION.format(
        number=len(found), kinds="\n".join(_kinds(found)), pages=", ".join(f"[{name}]" for name in pages)
    )
    for module, group in groupby(found, key=lambda each: each.site.dotted):
        yield f"### {_title(module)}\n"
        yield from _module(list(group))
        yield ""
    named = {name for each in found if len(each.answers) <= MAX_NAMES for name in each.answers}
    yield from (
        f"[{name}]: {page}" for name, page in {**pages, **{each: page_of(each) for each in sorted(named)}}.items()
    )
    yield ""


def _kinds(found: Sequence[Refusal]) -> Iterator[str]:
    yield "| source | API errors |\n| --- | --- |"
    numbers = Counter(each.kind for each in found)
    yield from (f"| {kind.value} | {numbers[kind]} |" for kind in Kind if numbers[kind])


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


def linked(source: str) -> str:
    """With short links in place of addresses and references."""
    text = ADDRESS.sub(lambda found: f"[{found[0].rsplit('/', 1)[-1]}]({found[0]})", plain(source))
    return THREAD.sub(lambda found: f"[{found[0]}](https://github.com/{found[1]}/issues/{found[2]})", text)


def _title(module: str) -> str:
    """The first sentence of a module."""
    words = inspect.cleandoc(importlib.import_module(module).__doc__ or "")
    return plain(words.partition("\n")[0].rstrip(".:"))


def plain(text: str) -> str:
    """Text that does not end a table's cell; ``code`` as Markdown has it."""
    return text.replace("``", "`").replace("|", "\\|").replace("\n", " ")
