"""The requests by which an update reaches the service."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from local_aws.engine.provider import Properties
from local_aws.resource_types.binding import Binding, Update
from local_aws.resource_types.templates import put_at

PART = " <= "
"""Between the parameter and the member of the item that it takes."""


def update_requests(
    binding: Binding, update: Update, old: Properties, new: Properties, to_parameter: Callable[[str, Any], Any]
) -> list[dict[str, Any]]:
    """Parameters that come from properties, for each call; none when nothing differs that the call is about."""
    if any(name in old and new.get(name) is None for name in update.taken_away):
        return [{}]
    watched = update.watch or (*update.properties, *update.lists, *update.items)
    changed = {name for name in watched if new.get(name) != old.get(name)}
    if not changed:
        return []
    if update.items:
        return [{member: item} for name, pair in update.items.items() for member, item in _moved(pair, name, old, new)]
    values = {n: to_parameter(n, v) for n, v in _values(binding, update, changed, old, new)}
    if update.each is not None:
        name_member, value_member = update.each
        return [{name_member: update.properties[name], value_member: value} for name, value in values.items()]
    parameters: dict[str, Any] = {}
    for name, value in values.items():
        put_at(parameters, update.properties[name], value)
    for name, pair in update.lists.items():
        for member, item in _moved(pair, name, old, new):
            parameters.setdefault(member, []).append(item)
    return [parameters] if parameters or not (update.properties or update.lists) else []


def _values(
    binding: Binding, update: Update, changed: set[str], old: Properties, new: Properties
) -> Iterator[tuple[str, Any]]:
    for name in update.properties:
        if name not in changed and not update.whole:
            continue
        value = new.get(name)
        reset = update.reset.get(name) if name in changed else None
        if isinstance(value, dict) and isinstance(reset, dict):
            value = {**{key: off for key, off in reset.items() if key in (old.get(name) or {})}, **value}
        if value is None:
            value = reset if reset is not None else binding.defaults.get(name)
        if isinstance(value, dict):
            value = {member: each for member, each in value.items() if f"{name}/{member}" not in update.fixed}
        if value is not None:
            yield name, value


def _moved(pair: tuple[str, str], name: str, old: Properties, new: Properties) -> Iterator[tuple[str, Any]]:
    """Items that are new, under the first parameter; items that are gone, under the second."""
    before, after = old.get(name) or [], new.get(name) or []
    for spec, some, others in ((pair[0], after, before), (pair[1], before, after)):
        member, _, part = spec.partition(PART)
        if member:
            yield from ((member, item[part] if part else item) for item in some if item not in others)
