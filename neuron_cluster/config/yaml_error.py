"""The finding for text that is not valid YAML: the parser reports where it stopped, which is seldom the cause."""

from __future__ import annotations

import re
from typing import Any

import yaml

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.text import confusable_character

LINE_BREAK = re.compile(r"\r\n|[\r\n\x85\u2028\u2029]")
CONFLICT = "<" * 7
"""How the lines of a merge conflict begin."""
CHECK = "check indentation, colons and quotes on this line and the one above"
QUOTE = "put the value in quotes"
IN_A_WORD = {
    "found character that cannot start any token": QUOTE,
    "while scanning an alias": QUOTE,
    "while scanning an anchor": QUOTE,
    "while scanning a tag": QUOTE,
    "while parsing a tag": QUOTE,
    "while parsing a node": QUOTE,
    "while parsing a quoted scalar": "write each \\ twice, or put the value in single quotes",
    "while scanning a block scalar": "begin the text on the next line, below its key, with nothing behind | or >",
    "while scanning a directive": "remove the line that begins with %",
    "found incompatible YAML document": "remove the line that begins with %",
    "found duplicate %YAML directive": "remove the line that begins with %",
    "block sequence entries are not allowed in this context": "begin the item on a line of its own, below its key",
    "mapping keys are not allowed in this context": QUOTE,
    "did not find expected node content": "remove the bracket or comma, or put the value in quotes",
    "did not find expected <document start>": "begin every key of the first level in the first column of its line, and "
    "remove lines that begin with % or ...",
}
"""The hint, by the parser's problem or context."""
BRACKETS = {"while parsing a flow sequence": ("[", "]"), "while parsing a flow mapping": ("{", "}")}
TWO_COLONS = "mapping values are not allowed in this context"
COLUMN = (
    "begin this line in the same column as the keys or items that it belongs to; a key with keys or items below it has "
    "nothing after its colon"
)


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
        place, hint = _unprintable(text, file), "remove this character, which does not show in an editor"
    elif known := _known(error, problem, lines):
        mark, problem, hint = known
        place = Location(file, mark.line + 1, mark.column + 1)
    elif mark.line < last:
        place = Location(file, mark.line + 1, mark.column + 1)
        hint = _strange(lines[max(mark.line - 1, 0) : mark.line + 1]) or _usual(error, problem, lines)
    else:  # the parser read on to the end, where nothing is to be seen
        place, hint = Location(file, last, 1), _usual(error, problem, lines)
    return Finding("E0003", place, f"not YAML: {problem}", hint)


def _unprintable(text: str, file: str) -> Location:
    """The place of the first character that no YAML may hold."""
    found = yaml.reader.Reader.NON_PRINTABLE.search(text)
    before = text[: found.start()] if found else ""
    return Location(file, before.count("\n") + 1, len(before) - before.rfind("\n"))


def _known(error: Any, problem: str, lines: list[str]) -> tuple[Any, str, str] | None:
    """The mark, the problem and the hint of an error that the parser's message identifies."""
    mark, start, context = error.problem_mark, error.context_mark, error.context
    given = lines[mark.line] if mark.line < len(lines) else ""
    if start is not None and context == "while scanning a quoted scalar":
        return start, "the quote that opens here is not closed", "close it on the same line"
    if "\t" in given[: mark.column + 1] and not given[: mark.column].strip():
        return mark, "this line is indented with a tab", "indent with spaces alone"
    if problem == "found character that cannot start any token":
        return mark, f"a value cannot begin with {given[mark.column : mark.column + 1]}", QUOTE
    if start is not None and context == "while scanning a simple key":
        hint = _strange([lines[start.line]]) or "write KEY: VALUE, or indent the line as part of the text above it"
        return start, "no colon ends a key on this line", hint
    if start is not None and context in BRACKETS:
        opens, closes = BRACKETS[context]
        hint = f"close it with {closes}, put a comma between two items, and values with {{, }}, [, ], : or # in quotes"
        return start, f"the {opens} that opens here is not closed as it should be", hint
    return None


def _usual(error: Any, problem: str, lines: list[str]) -> str:
    """The usual remedy."""
    mark, context = error.problem_mark, error.context
    is_in_block = context in ("while parsing a block mapping", "while parsing a block collection")
    line = lines[mark.line] if mark.line < len(lines) else ""
    before = line[: mark.column]
    if problem == TWO_COLONS and ":" in before:
        return "put the value in quotes where the second colon belongs to it; else write the second key below"
    if is_in_block and before.strip(" -"):
        return "end the value with its closing quote or bracket; put a value that continues after it in other quotes"
    if is_in_block and line.lstrip().startswith(":"):
        return "write a key in front of the colon"
    if problem == TWO_COLONS or is_in_block:
        return COLUMN
    return IN_A_WORD.get(problem) or IN_A_WORD.get(context or "", CHECK)


def _strange(lines: list[str]) -> str:
    strange = confusable_character("".join(lines))
    return f"it contains {strange}; remove it, or type a plain space in its place" if strange else ""
