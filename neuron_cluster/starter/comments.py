"""Comments of a template that no longer hold for the environment that it becomes."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

WIDTH = 120
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])")
OF_A_REGION = r"\boffer(s|ed)?\b"
OF_ALL_ZONES = r"\bspreads?\b"
"""A node group in each zone of the network; instances of a reservation are in one."""
_CONTINUED = re.compile(r"(It|They|This|These)\b")
"""The beginning of a sentence that continues the one before."""
OF_A_PURCHASE_OPTION = {
    "spot": r"(?i:\bspot\b)",
    "reservation": r"(?i:\breservations?\b)",
    "capacity_block": r"(?i:\bblocks?\b)|\breservation\b|\bby then\b",
    "ultraserver_block": r"(?i:\bblocks?\b)",
}
"""Words of comments of a template that are about its purchase option."""


def with_head(text: str, sentence: str) -> str:
    """The text with another description at its beginning, below the line for editors."""
    first, *lines = text.splitlines()
    end = next((at for at, line in enumerate(lines) if not line.removeprefix("#").strip()), 0)
    return "\n".join([first, *_wrapped(sentence, ""), *lines[end:]]) + "\n"


def without_sentences(text: str, patterns: Iterable[str]) -> str:
    """The text without the sentences of comments in which a pattern is found; other comments stay byte for byte.

    The comment at the beginning stays whole.
    """
    stale = re.compile("|".join(patterns) or r"(?!)")
    head, blank, rest = text.partition("\n\n")
    return head + blank + "".join(f"{line}\n" for block in _blocks(rest) for line in _kept(block, stale))


def _blocks(text: str) -> Iterator[list[str]]:
    """Lines of one comment together, every other line alone."""
    block: list[str] = []
    for line in text.splitlines():
        if block and not (_is_comment(line) and _indent(line) == _indent(block[0])):
            yield block
            block = []
        if _is_comment(line):
            block.append(line)
        else:
            yield [line]
    if block:
        yield block


def _kept(block: list[str], stale: re.Pattern[str]) -> list[str]:
    if not _is_comment(block[0]):
        return block
    whole = " ".join(line.strip().removeprefix("#").strip() for line in block)
    sentences = _SENTENCE.split(whole)
    kept: list[str] = []
    was_kept = True
    for each in sentences:
        was_kept = not stale.search(each) and (was_kept or not _CONTINUED.match(each))
        kept += [each] if was_kept else []
    return block if len(kept) == len(sentences) else _wrapped(" ".join(kept), _indent(block[0]))


def _wrapped(text: str, indent: str) -> list[str]:
    mark = f"{indent}# "
    return textwrap.wrap(
        text, WIDTH, initial_indent=mark, subsequent_indent=mark, break_long_words=False, break_on_hyphens=False
    )


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
