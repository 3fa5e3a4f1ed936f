"""The lines of a requirements file as pip reads them: joined, without comments, with those of files that it includes.

Source: https://pip.pypa.io/en/stable/reference/requirements-file-format/
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from msgspec import Struct

from neuron_cluster.bounded_file import read_bounded
from neuron_cluster.pinned_toolkit.public_indexes import is_public

if TYPE_CHECKING:
    from optparse import OptionParser

    from neuron_cluster.catalog.catalog import Catalog

FILE = "requirements.txt"
_COMMENT = re.compile(r"(?:^|\s)#.*")
_WITH_VALUE = (
    ("-f", "--find-links"),
    ("-e", "--editable"),
    ("--no-binary",),
    ("--only-binary",),
    ("--trusted-host",),
    ("--use-feature",),
    ("--all-releases",),
    ("--only-final",),
    ("--config-settings",),
    ("--hash",),
)
_FLAGS = ("--prefer-binary", "--require-hashes", "--no-require-hashes", "--pre")


class RequirementsLine(Struct, frozen=True):
    """``number`` is that of its first line, from 1; ``file`` is relative to the folder of the repository."""

    number: int
    text: str
    file: str = FILE
    is_constraint: bool = False


class LineOptions(Struct, frozen=True):
    """Options of a line that has no requirement."""

    index_url: str | None = None
    extra_index_urls: Sequence[str] = ()
    has_index: bool = True
    requirements: Sequence[str] = ()
    constraints: Sequence[str] = ()


def text_of(path: Path) -> str:
    """Empty without a file, and where it cannot be read: pip reports that."""
    try:
        return read_bounded(path).decode("utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return ""


def logical_lines(text: str) -> Iterator[RequirementsLine]:
    """A backslash at the end joins the next line, but not at the end of a comment line."""
    first, joined = 0, ""
    for number, line in enumerate(text.splitlines(), start=1):
        first, is_comment = first or number, _COMMENT.match(line) is not None
        joined += f" {line}" if is_comment else line.removesuffix("\\")
        if is_comment or not line.endswith("\\"):
            yield RequirementsLine(first, _COMMENT.sub("", joined).strip())
            first, joined = 0, ""
    if joined:
        yield RequirementsLine(first, _COMMENT.sub("", joined).strip())


def all_lines(root: Path) -> list[RequirementsLine]:
    """Returns the lines of the file in this folder and of the local files that it includes, each file once."""
    return list(_lines_of(root, root / FILE, is_constraint=False, seen=set()))


def asks_public_index(lines: Sequence[RequirementsLine], catalog: Catalog) -> bool:
    """Whether pip looks for names in a public index: PyPI, where no option replaces it or takes it away."""
    options = [options_of(each.text) for each in lines]
    indexes = [each.index_url for each in options if each.index_url is not None]
    added = [url for each in options for url in each.extra_index_urls]
    return all(each.has_index for each in options) and (
        not indexes or any(is_public(url, catalog) for url in (*indexes, *added))
    )


def options_of(text: str) -> LineOptions:
    """None of a line with a requirement, and of one that pip does not read."""
    if not text.startswith("-"):
        return LineOptions()
    try:
        found, _ = _parser().parse_args(shlex.split(text))
    except ValueError:
        return LineOptions()
    given = {name: getattr(found, name) for name in LineOptions.__struct_fields__}
    return LineOptions(**{name: value for name, value in given.items() if value is not None})


def _lines_of(root: Path, path: Path, *, is_constraint: bool, seen: set[Path]) -> Iterator[RequirementsLine]:
    if path in seen:
        return
    seen.add(path)
    name = os.path.relpath(path, root)
    for line in logical_lines(text_of(path)):
        options = options_of(line.text)
        for is_inner, places in ((is_constraint, options.requirements), (True, options.constraints)):
            for place in (each for each in places if "://" not in each):
                inner = Path(os.path.normpath(path.parent / place))
                yield from _lines_of(root, inner, is_constraint=is_inner, seen=seen)
        yield RequirementsLine(line.number, line.text, name, is_constraint)


def _parser() -> OptionParser:
    """With the options that pip has in requirements files, which it reads with this module too."""
    from optparse import OptionParser

    class Parser(OptionParser):
        def error(self, msg: str) -> NoReturn:
            raise ValueError(msg)

    parser = Parser(add_help_option=False)
    parser.add_option("-i", "--index-url", "--pypi-url", dest="index_url")
    parser.add_option("--extra-index-url", dest="extra_index_urls", action="append")
    parser.add_option("-r", "--requirement", dest="requirements", action="append")
    parser.add_option("-c", "--constraint", dest="constraints", action="append")
    parser.add_option("--no-index", dest="has_index", action="store_false")
    for names in _WITH_VALUE:
        parser.add_option(*names, action="append")
    for name in _FLAGS:
        parser.add_option(name, action="store_true")
    return parser
