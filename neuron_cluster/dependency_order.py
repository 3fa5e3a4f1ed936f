"""A topological order that keeps the given order where it can: of releases, and of stacks."""

from __future__ import annotations

import graphlib
from collections.abc import Mapping, Sequence


def in_order(needs: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The names, each after all that it needs; of those that are ready, the first in the given order comes next.

    A need that is not a name of the mapping is met already. Raises ``graphlib.CycleError``, a ``ValueError``.
    """
    position = {name: index for index, name in enumerate(needs)}
    sorter = graphlib.TopologicalSorter(
        {name: [need for need in needed if need in needs] for name, needed in needs.items()}
    )
    sorter.prepare()
    ready: set[str] = set()
    ordered: list[str] = []
    while sorter.is_active():
        ready.update(sorter.get_ready())
        following = min(ready, key=position.__getitem__)
        ready.remove(following)
        sorter.done(following)
        ordered.append(following)
    return tuple(ordered)
