"""The checkpoints that are planned, in the text of a template: those of a model of the user, or none."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.sizing.model_sizes import ModelSizes, parameters_name
from neuron_cluster.starter.block_edit import with_keys
from neuron_cluster.upgrade.file_edit import scalar_values

PATH = ("storage", "checkpoints")
LEFT_OUT = (
    "# `checkpoints` plans what your training saves: `neuron-cluster explain storage.checkpoints`, docs/storage.md."
)


def with_checkpoints_of(text: str, model: ModelSizes, catalog: Catalog) -> str:
    """The text with this model in ``storage.checkpoints``, where it has the section with a model."""
    if (*PATH, "model") not in scalar_values(text):
        return text
    named = (
        f"model: {model.name}" if catalog.models.served_as(model.name) is not None else f"parameters: {_number(model)}"
    )
    return with_keys(text, PATH, {"model": (named,)})


def without_checkpoints(text: str) -> str:
    """The text without the section, which builds nothing."""
    return with_keys(text, PATH[:1], {PATH[1]: (LEFT_OUT,)})


def _number(model: ModelSizes) -> str:
    return parameters_name(model.parameters).replace(",", "")
