"""The model whose checkpoints are planned, in the text of a template."""

from __future__ import annotations

from neuron_cluster.catalog.model import model as row_of
from neuron_cluster.sizing.model_sizes import ModelSizes, parameters_name
from neuron_cluster.starter.block_edit import with_keys
from neuron_cluster.upgrade.file_edit import scalar_values

PATH = ("storage", "checkpoints")


def with_checkpoints_of(text: str, model: ModelSizes) -> str:
    """The text with this model in ``storage.checkpoints``, where it has the section with a model."""
    if (*PATH, "model") not in scalar_values(text):
        return text
    named = f"model: {model.name}" if row_of(model.name) is not None else f"parameters: {_number(model)}"
    return with_keys(text, PATH, {"model": (named,)})


def _number(model: ModelSizes) -> str:
    return parameters_name(model.parameters).replace(",", "")
