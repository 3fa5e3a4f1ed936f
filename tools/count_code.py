"""Prints the size of the Python code of a checkout as a table or JSON, one row for each top-level folder.

    python tools/count_code.py [CHECKOUT] [--format json]

A line of code is not blank and is not only a comment or a docstring. Lines of imports are lines of code; they include
imports inside functions and ``if TYPE_CHECKING:`` with its imports. The median is that of the lines of code without
imports over all files that have some.
"""

from __future__ import annotations

import argparse
import ast
import io
import statistics
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

FOLDERS = ("neuron_cluster", "local_aws", "local_kubernetes", "stacks", "charts", "tools", "tests")
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER
}  # fmt: skip


class Lines(Struct, frozen=True):
    """Numbers of lines of one file: all, those of code, and those of code that are imports."""

    lines: int
    code: int
    imports: int


class Folder(Struct, frozen=True):
    """The row of a folder: sums over its files, the imports in percent of the code, the median file."""

    folder: str
    files: int
    lines: int
    code: int
    imports: int
    share_of_imports: float
    median_code: int


def count_lines(source: str) -> Lines:
    """Returns the numbers of lines of a Python file."""
    module = ast.parse(source)
    docstrings, imports = set(), set()
    for node in ast.walk(module):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                docstrings.add((node.lineno, node.col_offset))
            case ast.Import() | ast.ImportFrom():
                imports.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
            case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
                imports.add(node.lineno)
    code = set(_lines_of_code(source, docstrings))
    return Lines(len(source.splitlines()), len(code), len(code & imports))


def _lines_of_code(source: str, docstrings: set[tuple[int, int]]) -> Iterator[int]:
    text = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE and token.start not in docstrings:
            lines = range(token.start[0], token.end[0] + 1)
            yield from (line for line in lines if text[line - 1].strip())


def count_folder(checkout: Path, folder: str) -> Folder:
    """Returns the row of a folder; zeros if the checkout does not have it."""
    files = [count_lines(path.read_text(encoding="utf-8")) for path in (checkout / folder).rglob("*.py")]
    lines, code, imports = (sum(getattr(file, name) for file in files) for name in Lines.__struct_fields__)
    share = round(100 * imports / code, 1) if code else 0.0
    median = statistics.median([file.code - file.imports for file in files if file.code > file.imports] or [0])
    return Folder(folder, len(files), lines, code, imports, share, round(median))


def _table(rows: Sequence[Folder]) -> Iterator[str]:
    titles = ("folder", "files", "lines", "code", "imports", "% imports", "median code")
    yield f"| {titles[0]:<14} | " + " | ".join(f"{title:>11}" for title in titles[1:]) + " |"
    yield f"| {'-' * 14} | " + " | ".join("-" * 10 + ":" for _ in titles[1:]) + " |"
    for row in rows:
        name, *numbers = msgspec.structs.astuple(row)
        yield f"| {name:<14} | " + " | ".join(f"{number:>11,}" for number in numbers) + " |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table, or with ``--format json`` a list of objects."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", nargs="?", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--format", choices=("table", "json"), default="table")
    options = parser.parse_args(arguments)
    rows = [count_folder(options.checkout, folder) for folder in FOLDERS]
    if options.format == "json":
        print(msgspec.json.format(msgspec.json.encode(rows)).decode())
    else:
        print("\n".join(_table(rows)))


if __name__ == "__main__":
    main()
