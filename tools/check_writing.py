"""Checks docstrings and names of tests for `make lint`: exit status 1 and a line for each fault.

    python tools/check_writing.py [CHECKOUT] [--shrink]

Faults are words of ``docstrings`` in tools/vocabulary.yaml, and names of tests with more than 80 characters. Files
whose docstrings were written before this check are listed in tools/unread_files.txt. The list only shrinks: a listed
file without a fault fails the check until ``--shrink`` removes it.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from vocabulary import vocabulary

LIST = Path("tools/unread_files.txt")
FOLDERS = (
    *("neuron_cluster", "local_aws", "local_kubernetes", "stacks", "charts", "functions", "tools", "tests"),
    *("benchmarks", "docs"),
)
LONGEST_NAME = 80
"""Characters of the name of a test."""
HEAD = "# {} files whose docstrings or names of tests are to be rewritten; tools/check_writing.py reads the number"


class Unread(Struct, frozen=True):
    """The list: paths relative to the checkout, and how many its first line allows."""

    most: int
    files: list[str]


def faults(source: str) -> Iterator[tuple[int, str]]:
    """Yields the line and the message of each fault of a Python file."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield from ((node.lineno, f"the docstring {found}") for found in _docstring_faults(text))
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if name.startswith("test_") and len(name) > LONGEST_NAME:
                    yield node.lineno, f"the name of the test has {len(name)} characters: {LONGEST_NAME}"


def _docstring_faults(text: str) -> Iterator[str]:
    banned = vocabulary().docstrings
    first = re.match(r"\s*(\w+)", text)
    if first and first[1] in banned.first_words:
        yield f'starts with "{first[1]}": write a noun or a verb'
    for word in re.findall(rf"\b(?:{'|'.join(banned.words)})\b", text, re.IGNORECASE):
        yield f'has "{word}": write {banned.words[word.lower()]}'


def read_list(checkout: Path) -> Unread:
    """Returns the list of a checkout."""
    head, *files = (checkout / LIST).read_text(encoding="utf-8").splitlines()
    return Unread(most=int(head.split()[1]), files=files)


def check(checkout: Path) -> Iterator[str]:
    """Yields a line for each fault of a file that is not listed, and for each fault of the list."""
    unread, found = read_list(checkout), _faults_of_files(checkout)
    for name in sorted(found.keys() - set(unread.files)):
        yield from (f"{name}:{line}: {message}" for line, message in found[name])
    for name in sorted(set(unread.files) - found.keys()):
        yield f"{LIST}: {name} has no fault: remove it from the list (--shrink)"
    listed = len(unread.files)
    if unread.files != sorted(set(unread.files)):
        yield f"{LIST}: paths are not sorted, or twice in it (--shrink)"
    elif listed != unread.most:
        step = "rewrite a file instead of listing it" if listed > unread.most else f"write {listed} (--shrink)"
        yield f"{LIST}: {listed} files are listed, and its first line allows {unread.most}: {step}"


def shrink(checkout: Path) -> None:
    """Removes files without a fault from the list, and lowers the number in its first line."""
    unread = read_list(checkout)
    files = sorted(set(unread.files) & _faults_of_files(checkout).keys())
    head = HEAD.format(min(unread.most, len(files)))
    (checkout / LIST).write_text("\n".join([head, *files, ""]), encoding="utf-8")


def _faults_of_files(checkout: Path) -> dict[str, list[tuple[int, str]]]:
    """Returns the faults of each file that has some, by its path."""
    below = (path for folder in FOLDERS for path in (checkout / folder).rglob("*.py"))
    found = {
        path.relative_to(checkout).as_posix(): sorted(faults(path.read_text(encoding="utf-8")))
        for path in (*checkout.glob("*.py"), *below)
    }
    return {name: of_file for name, of_file in found.items() if of_file}


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints what ``check`` yields; with ``--shrink`` writes the list first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", nargs="?", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--shrink", action="store_true", help="remove files without a fault from the list")
    options = parser.parse_args(arguments)
    if options.shrink:
        shrink(options.checkout)
    lines = list(check(options.checkout))
    if lines:
        print("\n".join(lines))
        sys.exit(1)


if __name__ == "__main__":
    main()
