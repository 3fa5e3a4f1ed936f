"""Reads which release of the toolkit ``requirements.txt`` requires (PEP 440, PEP 508, the file format of pip)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.pinned_toolkit.requirements_file import (
    FILE,
    RequirementsLine,
    all_lines,
    asks_public_index,
    logical_lines,
    text_of,
)

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

    from neuron_cluster.catalog.catalog import Catalog

DISTRIBUTION = "neuron-cluster-toolkit"
WHEELS = "wheels"
"""The folder of a repository that has the wheel of the toolkit."""
_NAME = re.compile(r"neuron[-_.]+cluster[-_.]+toolkit(?![\w.]|-(?!\d))", re.IGNORECASE)
"""Every spelling that pip takes for the name, also before the version in the name of a wheel."""
_OPTIONS = re.compile(r"\s--?[a-z].*")
"""Such as ``--hash``."""

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
    """Digests of the wheels that it allows; empty: any."""
    wheel: str = ""
    """Path or URL of a wheel; empty where pip looks for the name."""


def wheel_line(version: str) -> str:
    """The line of a new repository: pip takes this file and asks no index for the name."""
    return f"./{WHEELS}/{DISTRIBUTION.replace('-', '_')}-{version}-py3-none-any.whl"


def toolkit_requirements(root: Path) -> list[ToolkitRequirement]:
    """Returns the requirements of the file in this folder; none if it cannot be read, which pip reports."""
    text = text_of(root / FILE)
    return list(requirements_in(text)) if _NAME.search(text) else []  # else without an import of packaging


def has_requirement(root: Path) -> bool:
    """Whether a line names the toolkit, with a version or without: a wheel or a URL too."""
    return any(_names_toolkit(line) for line in logical_lines(text_of(root / FILE)))


def bare_name(root: Path, catalog: Catalog) -> RequirementsLine | None:
    """The line for which pip asks a public index for the name of the toolkit, also of an included file; None without.

    Not one with a hash or a wheel, nor where the index is replaced or there is none. A constraint alone requires
    nothing, and the hash of one is compared.
    """
    lines = all_lines(root)
    named = [line for line in lines if _names_toolkit(line)]
    bare = [line for line in named if _is_bare(line)]
    if any(_HASH.search(line.text) for line in named if line.is_constraint):
        return None
    if any(line not in bare for line in named if not line.is_constraint):
        bare = [line for line in bare if not line.is_constraint]
    return bare[0] if bare and asks_public_index(lines, catalog) else None


def _names_toolkit(line: RequirementsLine) -> bool:
    return _NAME.search(_OPTIONS.sub("", line.text)) is not None


def _is_bare(line: RequirementsLine) -> bool:
    """A name without a place after it: a marker may have any character."""
    requirement = _OPTIONS.sub("", line.text).partition(";")[0]
    is_name = _NAME.match(requirement) is not None and not any(mark in requirement for mark in ("@", "/", ".whl"))
    return is_name and not _HASH.search(line.text)


def requirements_in(text: str) -> Iterator[ToolkitRequirement]:
    """Yields the requirements in the text of a file, in its order."""
    for line in logical_lines(text):
        found = _of_wheel(line.number, line.text) or _of_name(line.number, line.text)
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
        requirement = Requirement(_OPTIONS.sub("", line))
    except InvalidRequirement:
        return None
    applies = requirement.marker is None or requirement.marker.evaluate()
    is_own = canonicalize_name(requirement.name) == DISTRIBUTION
    if is_own and applies and requirement.url is None and requirement.specifier:
        return ToolkitRequirement(number, requirement.specifier, tuple(_HASH.findall(line)))
    return None
