"""Models of published fields, and what is recommended for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.sizing.model_sizes import ModelSizes
from neuron_cluster.sizing.read_config import read_model
from neuron_cluster.sizing.recommend import Choice, Recommendation, recommend
from neuron_cluster.sizing.request import Fixed, SizingRequest, Task

MODELS = Path(__file__).parents[2] / "fixtures" / "models"


def fixture_model(name: str) -> ModelSizes:
    return read_model(MODELS / f"{name}.json", load_catalog())


def recommended(model: ModelSizes, task: str, length: int, **options: Any) -> Recommendation:
    """``options`` are fields of the request, or of its fixed division."""
    division = {name: options.pop(name) for name in Fixed.__struct_fields__ if name in options}
    request = SizingRequest(task=Task(task), length=length, fixed=Fixed(**division), **options)
    return recommend(model, request, load_catalog())


def choices_on(found: Recommendation, instance_type: str, count: int = 1) -> list[Choice]:
    """All that fit this many instances."""
    return [each for each in found.choices if (each.instance_type.name, each.count) == (instance_type, count)]
