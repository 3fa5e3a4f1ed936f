"""The likely meaning of a name that PCS does not accept: a setting of this level, or of another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.suggestions import did_you_mean, is_misspelt, suggestions
from neuron_cluster.findings.text import LONGEST, listed, quoted
from neuron_cluster.schedulers.slurm.setting_places import DECIDED

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

PLACES = {"cluster": "slurm.settings", "group": "settings of a group", "queue": "settings of a queue"}
"""The place of the settings of each level in the file."""


def remedy(name: str, level: str, version: str, catalog: Catalog) -> str:
    """Returns the hint for a name that PCS does not accept at this level, with this version."""
    remove = f"remove {shown(name)}"
    same = list(_of_any_level(name, level, catalog))
    if same:
        return _of_same_name(name, same, level, version, catalog)
    if any(name.lower() in map(str.lower, row.not_accepted) for row in catalog.slurm_settings):
        return remove
    near = list(_near(name, level, catalog))
    if near and near[0] in DECIDED:
        return f"did you mean {near[0][1]}? {DECIDED[near[0]]} decides {near[0][1]}: {remove}"
    meant = (_described(each, level, version, catalog) for each in near if each not in DECIDED)
    return f"{did_you_mean(list(meant))}{remove}"


def shown(name: str) -> str:
    """The name as a message shows it: with quotes where it is not one word."""
    return name if name.isascii() and name.isidentifier() and len(name) <= LONGEST else quoted(name)


def _of_any_level(name: str, level: str, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Levels and names that differ in capital letters at most, of this level first; as PCS documents the names."""
    for row in sorted(catalog.slurm_settings, key=lambda row: row.name != level):
        yield from ((row.name, known) for known in row.settings if known.lower() == name.lower())


def _of_same_name(name: str, same: list[tuple[str, str]], level: str, version: str, catalog: Catalog) -> str:
    own, known = same[0]
    free = [each for each in same if each not in DECIDED]
    if same[0] in DECIDED and (own == level or not free):
        return f"{DECIDED[same[0]]} decides {known}: remove {name}"
    if own == level:
        return f"write {known}, as PCS spells it"
    what = name if name == known else f"{name} as {known}"
    return f"move {what} to {listed((_place(each, version, catalog) for each in free), 'or')}"


def _near(name: str, level: str, catalog: Catalog) -> list[tuple[str, str]]:
    """Returns names of which this one is a misspelling, else similar ones of the level; the nearest first."""
    known = {each: row.name for row in catalog.slurm_settings for each in row.settings if row.name != level}
    known |= dict.fromkeys(catalog.slurm_settings[level].settings, level)
    found = suggestions(name, known)
    misspelt = [each for each in found if is_misspelt(name, each)]
    return [(known[each], each) for each in misspelt or [each for each in found if known[each] == level]]


def _described(setting: tuple[str, str], level: str, version: str, catalog: Catalog) -> str:
    if setting[0] == level:
        return f"{setting[1]}{_since(setting, version, catalog)}"
    return f"{setting[1]} in {_place(setting, version, catalog)}"


def _place(setting: tuple[str, str], version: str, catalog: Catalog) -> str:
    return f"{PLACES[setting[0]]}{_since(setting, version, catalog)}"


def _since(setting: tuple[str, str], version: str, catalog: Catalog) -> str:
    level, name = setting
    first = catalog.slurm_settings[level].settings[name]
    return f" (from Slurm {first} on)" if first > version else ""
