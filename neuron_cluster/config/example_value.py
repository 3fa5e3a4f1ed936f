"""The example of a field: what stands there in repaired trees, and what hints say that can be written."""

from __future__ import annotations

import copy
from typing import Any

from neuron_cluster.config.fields import fields_at
from neuron_cluster.config.source_map import KeyPath


def example_at(path: KeyPath) -> Any:
    """The example of a field, or one put together from those of the fields below it that must be written.

    Where none must, from the first of them. Of an item, the first one of its list; an empty text for what is no field.
    """
    if isinstance(path[-1], int):
        items = example_at(path[:-1])
        return items[0] if isinstance(items, list) and items else ""
    known = fields_at(path[:-1]).get(path[-1])
    if known is None:
        return ""
    if known.examples:
        return copy.deepcopy(known.examples[0])
    fields = fields_at(path)
    needed = [key for key, field in fields.items() if field.is_required()] or list(fields)[:1]
    below = {key: example_at((*path, key)) for key in needed}
    return [below] if str(known.annotation).startswith("list") else below
