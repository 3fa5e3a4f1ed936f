"""Which protocol the model of a section follows."""

from __future__ import annotations

from typing import Any

_found: dict[tuple[type, type], bool] = {}


def has_keys_of(section: Any, protocol: type) -> bool:
    """Whether a section has each property of a protocol, as a key or as a property: all of its class have it, or none.

    ``isinstance`` with a protocol would look at each instance: rules ask so often that it took a seventh of their time.
    """
    model = type(section)
    if (protocol, model) not in _found:
        keys = getattr(model, "model_fields", {})
        properties = (name for name, value in vars(protocol).items() if isinstance(value, property))
        _found[protocol, model] = all(name in keys or hasattr(model, name) for name in properties)
    return _found[protocol, model]
