"""The table of CONTRIBUTING.md: one row for each thing to add, and a patch that adds one."""

from __future__ import annotations

import re
from pathlib import Path

from generated_files import OUTPUTS
from msgspec import Struct

ROOT = Path(__file__).parents[2]
PATCHES = Path(__file__).parent
HEADING = "| To add | Files | Then run | Proof |"
ARTICLE = re.compile(r"^(an?|another) ")
PLACEHOLDER = re.compile(r"<[^>]+>")
PACKAGE = "<package>"


class Row(Struct, frozen=True):
    """One row. ``files`` are written by hand, with placeholders; ``proof`` are paths of tests."""

    what: str
    files: tuple[str, ...]
    tools: tuple[str, ...]
    proof: tuple[str, ...]

    @property
    def slug(self) -> str:
        """Name of its patch."""
        return re.sub(r"[^a-z]+", "-", ARTICLE.sub("", self.what.lower())).strip("-")

    @property
    def patch(self) -> Path:
        return PATCHES / f"{self.slug}.patch"

    def is_of_row(self, file: str) -> bool:
        """Whether it is written by hand."""
        return any(fits(pattern, file) for pattern in self.files)

    def is_generated(self, file: str) -> bool:
        """Whether a tool of the row writes it."""
        return any(file.startswith(output) for tool in self.tools for output in OUTPUTS[tool])


def fits(pattern: str, file: str) -> bool:
    """``<name>`` stands for a part of a file name, ``<package>`` for a folder at any depth.

    A pattern that ends in ``/`` stands for everything in the folder.
    """
    expression = PLACEHOLDER.sub("[^/]+", re.escape(pattern).replace(PACKAGE, ".+"))
    return re.fullmatch(expression + (".+" if pattern.endswith("/") else ""), file) is not None


def rows() -> list[Row]:
    """Returns the rows of the table in CONTRIBUTING.md."""
    lines = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
    first = lines.index(HEADING) + 2
    table = lines[first : lines.index("", first)]
    return [_row(line) for line in table]


def _row(line: str) -> Row:
    what, *others = (cell.strip() for cell in line.strip("|").split("|"))
    files, tools, proof = (tuple(re.findall(r"`([^`]+)`", cell)) for cell in others)
    return Row(what, files, tools, proof)


def touched(patch: Path) -> list[str]:
    """Files that a patch changes or adds."""
    return re.findall(r"^\+\+\+ b/(.+)$", patch.read_text(encoding="utf-8"), re.MULTILINE)
