"""The pages of docs/local-aws/ on API errors that no rule is behind: the rows of ``local_aws/errors``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import Formatter

from aws_references import documents, page_of, references

from local_aws.api_errors import ErrorRow, error_rows, error_tables

LETTER = re.compile(r"\w")
MAX_NAMES = 10
"""Operations or types that are named one by one; of more, their number."""
ANY = "*"
ADDRESS = re.compile(r"https://\S+?(?=[;,.]?(?:\s|$))")
THREAD = re.compile(r"\b([\w.-]+/[\w.-]+)#(\d+)")
INFERRED, OURS = "inferred", "this local AWS"
REFERENCE = "the reference page of the operation or of the resource type, or its service's page of error codes"
KINDS = {
    REFERENCE: "",
    "another one, which is named": "",
    "none: inferred, as it is said": INFERRED,
    "a limit of this local AWS": OURS,
}
"""Kinds of sources, with the words with which each begins."""
INTRODUCTION = """\
{number} more; `…` is what the call gives or another service returns. Operations, or resource types, come first, then
their codes and messages, and each has a source:

{kinds}

Where no source is named, it is the page to which the name of the operation or type leads; codes that any operation of
a service may return are on a page of their own: {pages}.
A test compares the codes with botocore's models and with what was noted of these pages. AWS documents when a
service rejects a call and with which code, but rarely the message: messages are written as the services are known to
write them, without queries to an account.
"""


def error_pages() -> dict[str, Iterable[str]]:
    """Lines of each page by its name: the contents, then one for each service."""
    tables = {name: list(error_rows(name).values()) for name in error_tables()}
    services = {f"api-errors-{service}": _service(service, table) for service, table in tables.items()}
    return {"api-errors": _contents(tables), **services}


def _contents(tables: Mapping[str, Sequence[ErrorRow]]) -> Iterator[str]:
    rows = [row for table in tables.values() for row in table]
    numbers = Counter(kind_of(row) for row in rows)
    kinds = ["| source | API errors |\n| --- | --- |", *(f"| {kind} | {numbers[kind]} |" for kind in KINDS)]
    pages = {f"error codes of {service}": each.errors for service, each in references().items() if each.errors}
    yield "# Other API errors\n"
    yield INTRODUCTION.format(number=len(rows), kinds="\n".join(kinds), pages=", ".join(f"[{name}]" for name in pages))
    yield from (f"- [{name}](api-errors-{name}.md): {len(table)}" for name, table in tables.items())
    yield ""
    yield from (f"[{name}]: {page}" for name, page in pages.items())


def _service(service: str, rows: Sequence[ErrorRow]) -> Iterator[str]:
    yield f"# API errors: {service}\n"
    yield from _table(rows)
    yield ""
    named = {name for row in rows if len(row.operations) <= MAX_NAMES for name in row.operations} - {ANY}
    yield from (f"[{name}]: {page_of(name)}" for name in sorted(named))


def kind_of(row: ErrorRow) -> str:
    """Returns the kind of its source; empty when it has none, which a test rejects."""
    for kind, opening in KINDS.items():
        if opening and row.source.startswith(opening):
            return kind
    if row.source:
        return "another one, which is named"
    return REFERENCE if all("::" in name or documents(name, row.code) for name in row.operations) else ""


def _table(rows: Sequence[ErrorRow]) -> Iterator[str]:
    groups: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for row in rows:
        groups.setdefault((row.operations, row.source), []).append(f"  - `{row.code}`: {shown_message(row)}")
    for (operations, source), bullets in groups.items():
        yield f"- {_named(operations)}{f'. Source: {linked(source)}.' if source else ''}"
        yield from dict.fromkeys(bullets)


def shown_message(row: ErrorRow) -> str:
    """With ``…`` for each field."""
    text = "".join(literal + ("…" if name is not None else "") for literal, name, *_ in Formatter().parse(row.message))
    return plain(text) if LETTER.search(text) else "…"


def _named(names: Sequence[str]) -> str:
    if ANY in names:
        return "Any operation"
    if len(names) <= MAX_NAMES:
        return ", ".join(f"[{name}]" for name in names)
    services = sorted({name.partition(":")[0] for name in names})
    return f"{len(names)} operations of {', '.join(services)}"


def linked(source: str) -> str:
    """With short links in place of addresses and references."""
    text = ADDRESS.sub(lambda found: f"[{found[0].rsplit('/', 1)[-1]}]({found[0]})", plain(source))
    return THREAD.sub(lambda found: f"[{found[0]}](https://github.com/{found[1]}/issues/{found[2]})", text)


def plain(text: str) -> str:
    """Text that ends no cell of a table and is no link; ``code`` as Markdown has it."""
    return text.replace("``", "`").replace("|", "\\|").replace("](", "]\\(").replace("\n", " ")
