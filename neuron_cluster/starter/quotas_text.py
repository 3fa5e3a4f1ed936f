"""Quotas of the teams of a template, in its text, for another number of Neuron devices."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.starter.device_shares import same_shares
from neuron_cluster.starter.teams_text import Values, devices_at
from neuron_cluster.upgrade.file_edit import FileEdit, edited_text, scalar_values

WHY = "in the proportion of the template"


def with_quotas(text: str, path: KeyPath, before: int, catalog: Catalog) -> str:
    """The text in which the teams have the same shares of a node group as when it had ``before`` Neuron devices."""
    values = scalar_values(text)
    edits = _edits(values, path, before, catalog)
    return edited_text(text, (each for each in edits if each.before != each.after))


def _edits(values: Values, path: KeyPath, before: int, catalog: Catalog) -> Iterator[FileEdit]:
    group, devices = values[(*path, "name")], devices_at(path, values, catalog)
    places = [
        key[:-1] for key, value in values.items() if key[0] == "teams" and key[-1] == "node_group" and value == group
    ]
    given = {str(at): int(values[(*place, "devices")]) for at, place in enumerate(places)}
    if not sum(given.values()):
        return
    for (at, quota), place in zip(same_shares(given, before, devices).items(), places, strict=True):
        yield FileEdit((*place, "devices"), str(given[at]), str(quota), WHY)
        for key, now, then in (("borrow", devices.all, before), ("lend", quota, given[at])):
            limit = values.get((*place, key))
            if limit is not None:
                yield FileEdit((*place, key), limit, str(int(limit) * now // max(then, 1)), WHY)
