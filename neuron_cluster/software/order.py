"""The order of the software: what is needed comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def in_order(needs: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The names, each after all that it needs; those that are free to go stay in the order that they were given.

    A need that is no name of the mapping is there already. Raises ``ValueError`` for names that wait for each other.
    """
    done: list[str] = []
    waiting = list(needs)
    while waiting:
        free = next((name for name in waiting if not any(need in waiting for need in needs[name])), None)
        if free is None:
            raise ValueError(f"these wait for each other: {', '.join(waiting)}")
        waiting.remove(free)
        done.append(free)
    return tuple(done)
