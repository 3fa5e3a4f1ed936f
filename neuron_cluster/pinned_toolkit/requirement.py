"""Reads which release of the toolkit ``requirements.txt`` requires (PEP 440, PEP 508, the file format of pip)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.bounded_file import read_bounded

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

DISTRIBUTION = "neuron-cluster-toolkit"
FILE = "requirements.txt"
_NAME = re.compile(r"neuron[-_.]+cluster[-_.]+toolkit(?![\w.]|-(?!\d))", re.IGNORECASE)
"""Every spelling that pip takes for the name, also before the version in the name of a wheel."""
_AFTER_REQUIREMENT = re.compile(r"(?:^|\s)#.*|\s--?[a-z].*")
"""A comment, or options such as ``--hash``."""


class ToolkitRequirement(Struct, frozen=True):
    """One line that requires releases by their version; a wheel, a URL or a name alone is none."""

    line: int
    """From 1."""
    specifiers: SpecifierSet


def toolkit_requirements(root: Path) -> list[ToolkitRequirement]:
    """Those of the file in this folder; none without one, and none where it cannot be read: pip reports that."""
    text = _text(root)
    return list(requirements_in(text)) if _NAME.search(text) else []  # else without an import of packaging


def has_requirement(root: Path) -> bool:
    """Whether a line names the toolkit, with a version or without: a wheel or a URL too."""
    return any(_NAME.search(_AFTER_REQUIREMENT.sub("", line)) for _, line in _logical_lines(_text(root)))


def _text(root: Path) -> str:
    try:
        return read_bounded(root / FILE).decode("utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return ""


def requirements_in(text: str) -> Iterator[ToolkitRequirement]:
    """Those of the text of a file, in its order."""
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.utils import canonicalize_name

    for number, line in _logical_lines(text):
        if _NAME.match(line) is None:
            continue
        try:
            requirement = Requirement(_AFTER_REQUIREMENT.sub("", line))
        except InvalidRequirement:
            continue
        applies = requirement.marker is None or requirement.marker.evaluate()
        is_own = canonicalize_name(requirement.name) == DISTRIBUTION
        if is_own and applies and requirement.url is None and requirement.specifier:
            yield ToolkitRequirement(number, requirement.specifier)


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """With the number of its first line: a backslash at the end joins the next one."""
    first, joined = 0, ""
    for number, line in enumerate(text.splitlines(), start=1):
        first = first or number
        joined += line.removesuffix("\\")
        if not line.endswith("\\"):
            yield first, joined.strip()
            first, joined = 0, ""
    if joined:
        yield first, joined.strip()
