"""Where a value of the toolkit replaces a broken one of the file, and which violations follow from that alone.

Every question is a look-up, not a comparison with each repair: a file may hold as many mistakes as lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct, field

from neuron_cluster.config.fields import fields_at
from neuron_cluster.config.source_map import KeyPath

EVERYWHERE: KeyPath = ()
"""In place of a list item: the repaired key is in none."""


class Repairs(Struct, dict=True):
    """The repaired key paths of one file, in the order of their repair."""

    repaired: dict[KeyPath, None] = field(default_factory=dict)
    guessed: dict[KeyPath, None] = field(default_factory=dict)
    """Paths of ``repaired`` that have an example instead of a default, which may be far from the intended value."""
    _above: set[KeyPath] = field(default_factory=set)
    """Every path that a repaired one is in, and the repaired ones."""

    def add(self, path: KeyPath, *, is_guess: bool = False) -> None:
        """Records a repair. All are recorded before ``mislead`` is called."""
        self.repaired[path] = None
        self._above.update(path[:length] for length in range(len(path) + 1))
        if is_guess:
            self.guessed[path] = None

    def is_guessed(self, path: KeyPath) -> bool:
        """Whether the value at ``path`` is an example or in one."""
        return any(path[:length] in self.guessed for length in range(len(path) + 1))

    def touch(self, path: KeyPath) -> bool:
        """Whether a repair replaced the value at ``path``, something in it, or something that it is in."""
        return path in self._above or any(path[:length] in self.repaired for length in range(len(path)))

    def mislead(self, path: KeyPath, proposed: Iterable[str], related: Iterable[KeyPath]) -> bool:
        """Whether a repaired value may have misled the rule that found something at ``path``.

        A default misleads about itself, and a rule that proposes its key; an example about the whole list item that
        it is in, also where another item is compared with it (``related``).
        """
        return (
            (path != () and path in self._above)
            or not self._doubtful.isdisjoint(_around(path))
            or self._proposes_repaired_key(path, proposed)
            or not self._guessed_items.isdisjoint(related)
        )

    def _proposes_repaired_key(self, path: KeyPath, proposed: Iterable[str]) -> bool:
        """Whether one of the keys has its default now, in the same list item if the key is in one."""
        places = {EVERYWHERE, *_around(path)}
        return any(not places.isdisjoint(self._items_by_key.get(key, ())) for key in proposed)

    @cached_property
    def _doubtful(self) -> set[KeyPath]:
        return {*self.repaired, *map(_item_around, self.guessed)}

    @cached_property
    def _guessed_items(self) -> set[KeyPath]:
        return {path for path in self.guessed if path and isinstance(path[-1], int)}

    @cached_property
    def _items_by_key(self) -> dict[str, set[KeyPath]]:
        """The list items in which a key has its default, by key."""
        items: dict[str, set[KeyPath]] = {}
        for path in self.repaired:
            if path not in self.guessed and str(path[-1]) in fields_at(path[:-1]):
                around = _item_around(path)
                items.setdefault(str(path[-1]), set()).add(EVERYWHERE if around == path else around)
        return items


def _around(path: KeyPath) -> Iterator[KeyPath]:
    """A key path and every one that it is in."""
    return (path[:length] for length in range(1, len(path) + 1))


def _item_around(path: KeyPath) -> KeyPath:
    """The list item that a path is in, else the path itself."""
    return next((path[:length] for length in range(len(path), 0, -1) if isinstance(path[length - 1], int)), path)
