"""What an object consists of: its attributes, and the items of the container that its class extends."""

from __future__ import annotations

import collections
from collections.abc import Iterator, Mapping
from typing import Any

CONTAINERS: tuple[type, ...] = (collections.OrderedDict, collections.defaultdict, dict, list, set)


def base_of(kind: type) -> type:
    """The built-in container that a class extends; ``object`` where it extends none."""
    return next((each for each in CONTAINERS if issubclass(kind, each)), object)


def attributes(value: Any) -> dict[str, Any]:
    """Those of its ``__dict__`` and of its slots, and what a ``defaultdict`` calls."""
    found = dict(getattr(value, "__dict__", {}))
    for name in _slots(type(value)):
        if hasattr(value, name):
            found[name] = getattr(value, name)
    if isinstance(value, collections.defaultdict):
        found["default_factory"] = value.default_factory
    return found


def _slots(kind: type) -> Iterator[str]:
    for each in kind.__mro__:
        slots = vars(each).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name.startswith("__") and not name.endswith("__"):
                yield f"_{each.__name__.lstrip('_')}{name}"
            elif name not in ("__dict__", "__weakref__"):
                yield name


def empty(kind: type) -> Any:
    """An object of the class whose constructor has not run."""
    base: Any = base_of(kind)
    return base.__new__(kind)


def set_attributes(value: Any, given: Mapping[str, Any]) -> None:
    """Past the class's own ``__setattr__`` and properties."""
    own = getattr(value, "__dict__", None)
    slots = {*_slots(type(value)), *(("default_factory",) if isinstance(value, collections.defaultdict) else ())}
    for name, each in given.items():
        if own is None or name in slots:
            object.__setattr__(value, name, each)
        else:
            own[name] = each
