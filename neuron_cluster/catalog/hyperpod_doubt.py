"""Open questions about Neuron instances on SageMaker HyperPod, which only an account can answer."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.sourced_row import SourcedRow


class HyperPodDoubt(SourcedRow, frozen=True, kw_only=True):
    """A fact that no source has, or that sources have differently, and that no account has shown yet."""

    title: str
    unknown: str
    """The unknown fact, as a sentence without a full stop."""
    assumed: str
    """The behaviour of the toolkit until the answer is known, as a sentence without a full stop."""
    check: str
    """How an account would answer it."""
    keys: tuple[str, ...] = ()
    """Keys of the file that it is about, ``[]`` for every item of a list; empty where no key depends on it."""
    values: tuple[str, ...] = ()
    """Values of ``keys`` that it is about; empty where every value is."""
    only_with: str | None = None
    """A key of the file without which nothing depends on it."""
    more_items_than: int | None = None
    """Number of items of a list in ``keys`` above which a file depends on it."""

    def is_about(self, key: str, value: str) -> bool:
        """Whether a file with this value of the key, or this number of items, depends on it."""
        if key not in self.keys:
            return False
        if self.more_items_than is not None:
            return int(value) > self.more_items_than
        return not self.values or value in self.values

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.values and not self.keys:
            yield "values", "are those of no key"
        if self.more_items_than is not None and (not self.keys or self.values):
            yield "more_items_than", "is of a key without values"
        for field in ("unknown", "assumed"):
            if getattr(self, field).endswith("."):
                yield field, "is a sentence without a full stop"
