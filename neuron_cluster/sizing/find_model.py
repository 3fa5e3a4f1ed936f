"""The model that a user names: a row of the catalog, a file, or a number of parameters."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.sizing.known_model import sizes_of_count, sizes_of_row
from neuron_cluster.sizing.model_sizes import ModelSizes
from neuron_cluster.sizing.read_config import read_model


def find_model(name_or_file: str | None, parameters: float | None, catalog: Catalog) -> ModelSizes:
    """Returns sizes from ``parameters`` if given. Raises ``ToolkitError`` for a file without a known model."""
    if parameters is not None:
        return sizes_of_count(parameters, catalog)
    row = catalog.models.served_as(name_or_file or "")
    return sizes_of_row(row) if row is not None else read_model(Path(name_or_file or ""), catalog)
