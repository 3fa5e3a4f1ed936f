"""Reads which release of the toolkit ``requirements.txt`` requires (PEP 440, PEP 508, the file format of pip)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.bounded_file import read_bounded
from neuron_cluster.pinned_toolkit.public_indexes import is_public

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

_INDEX = re.compile(r"(?:^|\s)(--index-url|-i|--extra-index-url)[= ]?\s*(\S+)")
_NO_INDEX = re.compile(r"(?:^|\s)--no-index\b")
DISTRIBUTION = "neuron-cluster-toolkit"
FILE = "requirements.txt"
WHEELS = "wheels"
"""The folder of a repository that has the wheel of the toolkit."""
_NAME = re.compile(r"neuron[-_.]+cluster[-_.]+toolkit(?![\w.]|-(?!\d))", re.IGNORECASE)
"""Every spelling that pip takes for the name, also before the version in the name of a wheel."""
_AFTER_REQUIREMENT = re.compile(r"(?:^|\s)#.*|\s--?[a-z].*")
"""A comment, or options such as ``--hash``."""


_PLACE = re.compile(rf"(?:{_NAME.pattern}\s*(?:\[[^\]]*\])?\s*@\s*)?(?P<place>[^\s-]\S*)", re.IGNORECASE)
"""A path or a URL, with the name before it or not."""
_HASH = re.compile(r"\s--hash[= ]sha256:([0-9a-f]{64})(?!\S)")
_FRAGMENT = re.compile(r"#(?:.*&)?sha256=([0-9a-f]{64})(?![0-9a-f])")


class ToolkitRequirement(Struct, frozen=True):
    """One line that requires releases by their version, also one in the name of a wheel; a name alone is none."""

    line: int
    """From 1."""
    specifiers: SpecifierSet
    sha256: tuple[str, ...] = ()
    """Of the wheels that it allows; empty: any."""
    wheel: str = ""
    """Path or URL of a wheel; empty where pip looks for the name."""


def wheel_line(version: str) -> str:
    """The line of a new repository: pip takes this file and asks no index for the name."""
    return f"./{WHEELS}/{DISTRIBUTION.replace('-', '_')}-{version}-py3-none-any.whl"


def toolkit_requirements(root: Path) -> list[ToolkitRequirement]:
    """Those of the file in this folder; none without one, and none where it cannot be read: pip reports that."""
    text = _text(root)
    return list(requirements_in(text)) if _NAME.search(text) else []  # else without an import of packaging


def has_requirement(root: Path) -> bool:
    """Whether a line names the toolkit, with a version or without: a wheel or a URL too."""
    return any(_NAME.search(_AFTER_REQUIREMENT.sub("", line)) for _, line in _logical_lines(_text(root)))


def bare_name_line(root: Path) -> int | None:
    """The line, from 1, for which pip asks a public index for the name of the toolkit; None without one.

    Not one with a hash or a wheel, nor in a file that replaces the index, or has none.
    """
    lines = list(_logical_lines(_text(root)))
    options = " ".join(line for _, line in lines if line.startswith("-"))
    indexes = _INDEX.findall(options)
    replaces_index = any(name != "--extra-index-url" for name, _ in indexes)
    if _NO_INDEX.search(options) or (replaces_index and not any(is_public(url) for _, url in indexes)):
        return None
    for number, line in lines:
        rest = _AFTER_REQUIREMENT.sub("", line)
        if (
            _NAME.match(rest) is not None
            and not _HASH.search(line)
            and not any(mark in rest for mark in ("@", "/", ".whl"))
        ):
            return number
    return None


def _text(root: Path) -> str:
    try:
        return read_bounded(root / FILE).decode("utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return ""


def requirements_in(text: str) -> Iterator[ToolkitRequirement]:
    """Those of the text of a file, in its order."""
    for number, line in _logical_lines(text):
        found = _of_wheel(number, line) or _of_name(number, line)
        if found is not None:
            yield found


def _of_wheel(number: int, line: str) -> ToolkitRequirement | None:
    """A line with the path or the URL of a wheel, whose name has the version."""
    from packaging.specifiers import SpecifierSet
    from packaging.utils import InvalidWheelFilename, parse_wheel_filename

    found = _PLACE.match(line)
    place = found["place"] if found is not None else ""
    try:
        name, version, _, _ = parse_wheel_filename(re.split(r"[#\[]", place)[0].rpartition("/")[2])
    except InvalidWheelFilename:
        return None
    sha256 = (*_HASH.findall(line), *_FRAGMENT.findall(place))
    return ToolkitRequirement(number, SpecifierSet(f"=={version}"), sha256, place) if name == DISTRIBUTION else None


def _of_name(number: int, line: str) -> ToolkitRequirement | None:
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.utils import canonicalize_name

    if _NAME.match(line) is None:
        return None
    try:
        requirement = Requirement(_AFTER_REQUIREMENT.sub("", line))
    except InvalidRequirement:
        return None
    applies = requirement.marker is None or requirement.marker.evaluate()
    is_own = canonicalize_name(requirement.name) == DISTRIBUTION
    if is_own and applies and requirement.url is None and requirement.specifier:
        return ToolkitRequirement(number, requirement.specifier, tuple(_HASH.findall(line)))
    return None


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
