"""Corrections of moto where it answers a call, but not as AWS does.

An override takes the place of one method of moto and gets the original as its first argument, so that only the
difference stands in our code. What moto lacks altogether is an ``@operation`` instead.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

Override = Callable[..., Any]
_OVERRIDDEN: set[tuple[type, str]] = set()


def override(owner: type, name: str) -> Callable[[Override], Override]:
    """Puts the function in place of ``owner.name``; AttributeError when moto has no such method (any more)."""

    def replace(function: Override) -> Override:
        if (owner, name) in _OVERRIDDEN:
            raise RuntimeError(f"two functions override {owner.__name__}.{name}")
        _OVERRIDDEN.add((owner, name))
        original = owner.__dict__[name] if name in owner.__dict__ else getattr(owner, name)

        @functools.wraps(original)
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            return function(functools.partial(original, self), self, *args, **kwargs)

        setattr(owner, name, method)
        return function

    return replace
