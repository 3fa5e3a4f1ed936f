"""The place of each key of a file, so that every finding can point at a line."""

from __future__ import annotations

from msgspec import Struct, field

from neuron_cluster.findings.finding import Location

KeyPath = tuple[str | int, ...]
"""The way to a value from the top of the file: ``("workstations", 0, "root_volume", "size_gib")``."""


def format_path(path: KeyPath) -> str:
    """A key path in its written form: ``workstations[0].root_volume.size_gib``."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


class Origin(Struct, frozen=True):
    """Where a value of a merged file is written: the name of its file, and its key path in there."""

    file: str
    path: KeyPath


class SourceMap(Struct):
    """Line and column of every key and list item of an environment file and its bases, both counted from 1."""

    file: str
    """The environment file itself."""
    places: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    origins: dict[KeyPath, Origin] = field(default_factory=dict)
    """Origins of every path of a file with a base; else empty: every value is written at its path in ``file``."""
    removed: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    """Keys of a base that ``file`` or another base removes, and where; ``origins`` has the file."""
    near_names: dict[KeyPath, str] = field(default_factory=dict)
    """The name of an item of the base that is spelt like an item that no base has, by the path of the latter."""
    _written: dict[KeyPath, str] = field(default_factory=dict)
    """The key as the file spells it, by the path with the key that was meant."""

    def read_as(self, written: KeyPath, meant: KeyPath) -> None:
        """Gives what is below a misspelt key the places of what is written there."""
        self._written[meant] = str(written[-1])

    def origin(self, path: KeyPath) -> Origin:
        """The file that a value is written in, and its path there."""
        return self.origins.get(path) or Origin(self.file, path)

    def locate(self, path: KeyPath) -> Location:
        """The place of a value; of the nearest part around it when no file names it (a default)."""
        written = self._as_written(path) if self._written else path
        for length in range(len(path), -1, -1):
            part = written[:length]
            if place := self.places.get(part) or self.removed.get(part):
                return self.location(self.origin(part).file, place, path)
        return self.location(self.file, (0, 0), path)

    def location(self, file: str, place: tuple[int, int], path: KeyPath) -> Location:
        """A place in ``file``, with the environment file where that is a base of it."""
        return Location(file, *place, format_path(path), self.file if file != self.file else "")

    def _as_written(self, path: KeyPath) -> KeyPath:
        return tuple(self._written.get(path[: length + 1], part) for length, part in enumerate(path))
