"""The place of each key of a file, so that every finding can point at a line."""

from __future__ import annotations

from msgspec import Struct, field

from neuron_cluster.findings.finding import Location

KeyPath = tuple[str | int, ...]
"""The way to a value from the top of the file: ``("workstations", 0, "root_volume", "size_gib")``."""


def format_path(path: KeyPath) -> str:
    """A key path in its written form: ``workstations[0].root_volume.size_gib``."""
    words = ""
    for part in path:
        if isinstance(part, int):
            words += f"[{part}]"
        else:
            words += f".{part}" if words else part
    return words


class SourceMap(Struct):
    """Line and column of every key and list item of one file, both counted from 1."""

    file: str
    places: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    _written: dict[KeyPath, str] = field(default_factory=dict)
    """The key as the file spells it, by the path with the key that was meant."""

    def read_as(self, written: KeyPath, meant: KeyPath) -> None:
        """Gives what is below a misspelt key the places of what is written there."""
        self._written[meant] = str(written[-1])

    def locate(self, path: KeyPath) -> Location:
        """The place of a value; of the nearest part around it when the file does not name it (a default)."""
        written = self._as_written(path) if self._written else path
        for length in range(len(path), -1, -1):
            if place := self.places.get(written[:length]):
                return Location(self.file, *place, format_path(path))
        return Location(self.file, path=format_path(path))

    def _as_written(self, path: KeyPath) -> KeyPath:
        return tuple(self._written.get(path[: length + 1], part) for length, part in enumerate(path))
