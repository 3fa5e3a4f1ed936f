"""Where pip looks for packages, and where it may look for the toolkit itself: never in a public index.

The toolkit is not on PyPI, where every user may upload a package of its name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.pinned_toolkit.public_indexes import is_public

_SECTIONS = ("global", "install", ":env:")
"""Sections of ``pip config list``, the strongest last. Source: https://pip.pypa.io/en/stable/topics/configuration/"""
_WANTED = (
    "name a place that has it: --wheel FILE, --find-links DIR, --index-url URL, "
    "or an index of your organization in pip.conf or PIP_INDEX_URL"
)


class PackageSource(Struct, frozen=True):
    """Options of the user, in addition to pip's configuration and ``PIP_…`` variables."""

    index_url: str | None = None
    find_links: str | None = None
    has_index: bool = True

    @property
    def arguments(self) -> Iterator[str]:
        """Arguments of pip for the dependencies, which public indexes have."""
        if self.index_url is not None:
            yield f"--index-url={self.index_url}"
        if self.find_links is not None:
            yield f"--find-links={absolute(self.find_links)}"
        if not self.has_index:
            yield "--no-index"


class ToolkitSource(Struct, frozen=True):
    """Folders or pages with wheels, or indexes; never both: an index could outbid the folder with a newer release."""

    find_links: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()

    @property
    def arguments(self) -> Iterator[str]:
        for name, places in (("find-links", self.find_links), ("index-url", self.indexes[:1])):
            yield from (f"--{name}={place}" for place in places)
        yield from (f"--extra-index-url={place}" for place in self.indexes[1:])

    def variables(self, empty_folder: Path) -> dict[str, str]:
        """Returns variables that replace places of pip's configuration: pip adds options, and ignores empty ones."""
        first = next(iter(self.indexes), empty_folder.as_uri())
        return {
            "PIP_FIND_LINKS": str(empty_folder),
            "PIP_NO_INDEX": "0" if self.indexes else "1",
            "PIP_INDEX_URL": first,
            "PIP_EXTRA_INDEX_URL": first,
        }


def toolkit_source(given: PackageSource, configured: Mapping[str, str], catalog: Catalog) -> ToolkitSource:
    """Options before the configuration of pip, and folders before indexes.

    Raises ``ToolkitError`` where only a public index is left, or nothing.
    """
    if given.find_links is not None:
        return ToolkitSource(find_links=_owned([absolute(given.find_links)], "--find-links", catalog))
    if given.index_url is not None and given.has_index:
        return ToolkitSource(indexes=_owned([given.index_url], "--index-url", catalog))
    if folders := configured.get("find-links", "").split():
        return ToolkitSource(find_links=_owned([*map(absolute, folders)], "find-links of pip's configuration", catalog))
    indexes = f"{configured.get('index-url', '')} {configured.get('extra-index-url', '')}".split()
    if not given.has_index or _is_true(configured.get("no-index", "")) or not indexes:
        raise ToolkitError("the toolkit is not on PyPI, and no other place is named that has it", hint=_WANTED)
    return ToolkitSource(indexes=_owned(indexes, "index-url of pip's configuration", catalog))


def configured_places(listed: str) -> dict[str, str]:
    """Returns the settings of ``pip install`` by key, from the output of ``pip config list``."""
    found: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for line in listed.splitlines():
        name, _, value = line.partition("=")
        section, _, key = name.rpartition(".")
        if section in found and value:
            found[section][key] = str(ast.literal_eval(value))
    return {key: value for section in _SECTIONS for key, value in found[section].items() if value}


def absolute(place: str) -> str:
    """A folder of the user's working directory, in which pip is not started; a URL stays."""
    return place if "://" in place or place.startswith("file:") else str(Path(place).expanduser().absolute())


def _owned(places: list[str], what: str, catalog: Catalog) -> tuple[str, ...]:
    """Returns the places that are not public. Raises ``ToolkitError`` where all are."""
    owned = tuple(each for each in places if not is_public(each, catalog))
    if not owned:
        message = f"{what} is a public index: {', '.join(places)}; every user may upload a package of this name there"
        raise ToolkitError(message, hint=_WANTED)
    return owned


def _is_true(text: str) -> bool:
    return text.lower() in {"1", "true", "yes", "on", "y", "t"}
