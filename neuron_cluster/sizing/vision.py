"""Parameters of a vision tower, by its large matrices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.sizing.config_fields import LARGEST

WIDTH = ("embed_dim", "hidden_size")
DEPTH = ("depth", "num_hidden_layers")
FURTHER_DEPTH = "num_global_layers"
OUTPUT = ("out_hidden_size", "hidden_size")
FURTHER_MERGERS = "deepstack_visual_indexes"
MATRICES = 4
"""The number of matrices of attention, each as wide as high."""
RATIO = 4
"""The ratio of the feed-forward network to the width, where the file has none."""


def vision_parameters(whole: Mapping[str, Any], catalog: Catalog) -> int:
    """0 without a ``vision_config``. A size that is missing, or not a count, counts as 0."""
    tower = whole.get("vision_config")
    if not isinstance(tower, Mapping):
        return 0
    row = catalog.vision_towers.of_model_type(str(tower.get("model_type"))) or catalog.vision_towers.of_model_type(
        str(whole.get("model_type"))
    )
    width, depth = _first(tower, WIDTH), _first(tower, DEPTH) + _first(tower, (FURTHER_DEPTH,))
    inner = _first(tower, ("intermediate_size",)) or width * (_first(tower, ("mlp_ratio",)) or RATIO)
    layer = MATRICES * width * width + (row.projections if row else 2) * width * inner
    merged = width * row.merged_patches if row else 0
    return depth * layer + _mergers(tower) * merged * (merged + _first(tower, OUTPUT))


def _mergers(tower: Mapping[str, Any]) -> int:
    further = tower.get(FURTHER_MERGERS)
    return 1 + (len(further) if isinstance(further, list) else 0)


def _first(tower: Mapping[str, Any], keys: tuple[str, ...]) -> int:
    return next((tower[key] for key in keys if _is_count(tower.get(key))), 0)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST
