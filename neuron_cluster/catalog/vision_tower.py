"""Vision towers: which matrices their layers have, and what joins their patches to tokens of the text model."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table


class VisionTower(SourcedRow, frozen=True, kw_only=True):
    """A tower without a row has two matrices in the feed-forward network and no merger."""

    model_types: tuple[str, ...]
    """Values of ``model_type`` in ``vision_config``, or in the whole file where that has none."""
    projections: int = 2
    """Matrices of the feed-forward network; 3: it has a gate."""
    merged_patches: int = 0
    """Patches that two matrices of a merger join to one token; 0: there is no merger."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not self.model_types:
            yield "model_types", "a tower has a model_type at least"


class VisionTowerTable(Table[VisionTower]):
    def of_model_type(self, model_type: str) -> VisionTower | None:
        """The tower with this ``model_type``; None for one that the catalog does not have."""
        return next((row for row in self if model_type in row.model_types), None)
