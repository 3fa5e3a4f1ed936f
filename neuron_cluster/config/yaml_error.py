"""What is wrong with a text that is no YAML: the parser says where it gave up, which is seldom where the mistake is."""

from __future__ import annotations

import re
from typing import Any

from neuron_cluster.config.strange_characters import strange_characters
from neuron_cluster.findings import Finding, Location

LINE_BREAK = re.compile(r"\r\n|[\r\n\x85\u2028\u2029]")
CONFLICT = "<" * 7
"""How the lines of a merge conflict begin."""
CHECK = "check indentation, colons and quotes on this line and the one above"


def not_yaml(error: Exception, text: str, file: str) -> Finding:
    """The finding for what the parser raised."""
    lines = LINE_BREAK.split(text)
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    conflict = next((number for number, line in enumerate(lines, 1) if line.startswith(f"{CONFLICT} ")), None)
    last = len(text.splitlines())
    if conflict is not None:
        place, problem = Location(file, conflict, 1), "a merge conflict begins here"
        hint = "keep one of the two sides, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>"
    elif mark is None:
        place, hint = Location(file), CHECK
    elif known := _known(error, problem, lines):
        mark, problem, hint = known
        place = Location(file, mark.line + 1, mark.column + 1)
    elif mark.line < last:
        place = Location(file, mark.line + 1, mark.column + 1)
        hint = _strange(lines[max(mark.line - 1, 0) : mark.line + 1]) or CHECK
    else:  # the parser read on to the end, where nothing is to be seen
        place, hint = Location(file, last, 1), CHECK
    return Finding("E0003", place, f"not YAML: {problem}", hint)


def _known(error: Any, problem: str, lines: list[str]) -> tuple[Any, str, str] | None:
    """The mark, the problem and the hint of a mistake that can be told from what the parser says."""
    mark, start, context = error.problem_mark, error.context_mark, error.context
    given = lines[mark.line] if mark.line < len(lines) else ""
    if start is not None and context == "while scanning a quoted scalar":
        return start, "the quote that opens here is not closed", "close it on the same line"
    if "\t" in given[: mark.column + 1] and not given[: mark.column].strip():
        return mark, "a tab stands before the text of this line", "indent with spaces alone"
    if problem == "found character that cannot start any token":
        return mark, f"a value cannot begin with {given[mark.column : mark.column + 1]}", "put the value in quotes"
    if start is not None and context == "while scanning a simple key":
        hint = _strange([lines[start.line]]) or "write KEY: VALUE, or indent the line as part of the text above it"
        return start, "no colon ends a key on this line", hint
    return None


def _strange(lines: list[str]) -> str:
    strange = strange_characters("".join(lines))
    return f"{strange} stands there; type a plain space in its place" if strange.endswith("space") else ""
