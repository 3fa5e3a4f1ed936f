"""The source of every refusal of the local AWS: where it can be read that AWS refuses so, or that it is not known.

A paragraph ``Source: …`` says it where it is not the reference page of the operation: in a comment over the ``raise``,
or in the docstring of the function, the class or the module; the nearest one holds. It begins with ``inferred`` for
what no source tells, and with ``this local AWS`` for what AWS would not refuse; words that say so are enough.
"""

from __future__ import annotations

import ast
import enum
import functools
import inspect
import itertools
import re

from aws_references import documents
from msgspec import Struct
from refusal_reach import reach, source_graph
from refusal_sites import PLACES, PROJECT, ROOM, RefusalSite, refusal_site, refusal_sites
from refusal_words import written_out
from source_graph import Place

from local_aws.engine import not_found

MARK = "Source:"
LIMIT = "this local AWS"
INFERRED = "inferred"


class Kind(enum.Enum):
    """What a source is."""

    REFERENCE = "the reference page of the operation or of the resource type, or its service's page of error codes"
    NAMED = "another one, which is named"
    INFERRED = "none: inferred, as it is said"
    OURS = "a limit of this local AWS"
    NONE = "none"


class Refusal(Struct, frozen=True):
    """One refusal with what it says, what it answers and where it comes from."""

    site: RefusalSite
    code: str
    """Empty where only the call tells it."""
    words: str
    """``…`` stands for what only the call tells."""
    answers: tuple[str, ...]
    """Operations, ``eks:CreateAddon``, or resource types, ``AWS::EKS::Addon``."""
    source: str
    """What the code says of it; empty where the pages of ``answers`` are the source."""

    @property
    def kind(self) -> Kind:
        """What its source is; ``NONE`` when it has none, which a test refuses."""
        if self.source.startswith(INFERRED):
            return Kind.INFERRED
        if self.source.startswith(LIMIT):
            return Kind.OURS
        if self.source:
            return Kind.NAMED
        known = [name for name in self.answers if "::" in name or documents(name, self.code)]
        return Kind.REFERENCE if self.answers and len(known) == len(self.answers) else Kind.NONE


@functools.cache
def refusals() -> list[Refusal]:
    """All, by place."""
    return [_refusal(site) for site in sorted(refusal_sites(), key=_place_in_order)]


def _place_in_order(site: RefusalSite) -> tuple[int, str, int]:
    folders = [site.module.startswith(folder) for folder in PLACES]
    return folders.index(True), site.module, site.line


def _refusal(site: RefusalSite) -> Refusal:
    module = site.dotted
    place, node = _raises()[module, site.line]
    call = written_out(source_graph(), place, node)
    full = refusal_site(ast.Raise(exc=call, lineno=site.line), PROJECT / site.module) or site
    code = full.code if not _is_operation(full.code) else ""
    answers = sorted(reach().get(place, ()))
    if site.module.startswith(f"{ROOM}handlers/"):
        answers = [name for name in answers if "::" in name]
    source = _said(site, place) or (f"{LIMIT}'s own limit" if LIMIT.lower() in full.words.lower() else "")
    if (
        not source
        and site.module.startswith(f"{ROOM}handlers/")
        and any(part in full.code for part in not_found.ABSENT)
    ):
        source = _marked(not_found.__doc__)
    source = source or _marked(ast.get_docstring(source_graph().modules[module]))
    return Refusal(site, code, full.words or site.words, tuple(answers), source)


@functools.cache
def _raises() -> dict[tuple[str, int], tuple[Place, ast.Raise]]:
    """Every ``raise``, by module and line, with the function that it stands in."""
    return {
        (place[0], node.lineno): (place, node)
        for place, function in source_graph().functions.items()
        for node in ast.walk(function)
        if isinstance(node, ast.Raise)
    }


def _is_operation(code: str) -> bool:
    """``ClientError`` is made with the name of an operation, too."""
    return bool(re.match(r"(Describe|List|Get|Put|Create|Delete|Update)[A-Z]", code))


def _said(site: RefusalSite, place: Place) -> str:
    """What the comment over it says, else its function, else its class."""
    lines = (PROJECT / site.module).read_text(encoding="utf-8").splitlines()[: site.line - 1]
    above = [line.strip() for line in itertools.takewhile(lambda line: line.lstrip().startswith("#"), reversed(lines))]
    texts = ["\n".join(line.removeprefix("#").strip() for line in reversed(above))]
    holders = source_graph().functions[place], source_graph().classes.get((place[0], place[1].partition(".")[0]))
    texts += [ast.get_docstring(holder) or "" for holder in holders if holder is not None]
    return next((source for text in texts if (source := _marked(text))), "")


def _marked(text: str | None) -> str:
    """The paragraph that begins with the mark, on one line."""
    found = re.search(rf"^{MARK}\s(.+?)(\n\n|\Z)", inspect.cleandoc(text or ""), re.DOTALL | re.MULTILINE)
    return re.sub(r"\s+", " ", found[1]).strip().rstrip(".") if found else ""
