"""Edits that take two updates: of a resource that its service changes in two steps, and of a log group that a custom
resource adopts (``handed_over_logs``)."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.handed_over_logs import retained
from neuron_cluster.changes.source import ChangeSource, change_sources
from neuron_cluster.changes.stack_set import Template


def first_update(
    deployed: Mapping[str, Template], new: Mapping[str, Template], catalog: Catalog
) -> dict[str, dict[str, Any]]:
    """The templates of the first of two updates, by stack.

    They are the new ones: what is held back as it is deployed, such log groups still in their stack.

    Empty where one update does it all.
    """
    comparison = Comparison(deployed, new, catalog)
    found: dict[str, dict[str, Any]] = {}
    for address in sorted(comparison.updated):
        held_back = [name for source in change_sources() for name in source.held_back(comparison, address)]
        if not held_back:
            continue
        template = found.setdefault(address.stack, copy.deepcopy(dict(new[address.stack])))
        properties = template["Resources"][address.logical_id]["Properties"]
        before = deployed[address.stack]["Resources"][address.logical_id]["Properties"]
        for name in held_back:
            properties.pop(name, None)
            if name in before:
                properties[name] = before[name]
    for address in comparison.handed_over:
        group = retained(deployed[address.stack], address.logical_id)
        if group is not None:
            template = found.setdefault(address.stack, copy.deepcopy(dict(new[address.stack])))
            template["Resources"][address.logical_id] = group
    return found


def second_update_lines(comparison: Comparison) -> list[str]:
    """Returns the changes of the second update, one line for each kind."""
    held = {source: _stacks_with_held_back(source, comparison) for source in change_sources()}
    return [
        *(f"in two updates: {', '.join(stacks)}; {source.second_update}" for source, stacks in held.items() if stacks),
        *(
            f"in two updates: {address.stack}; the log group {name} leaves the stack and stays, with all its entries"
            for address, name in comparison.handed_over.items()
        ),
    ]


def _stacks_with_held_back(source: ChangeSource, comparison: Comparison) -> list[str]:
    return sorted({address.stack for address in comparison.updated if source.held_back(comparison, address)})
