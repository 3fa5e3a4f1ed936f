"""The sizes of a model: of its ``config.json``, or of the catalog by its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.model import Model, dense_parameters, largest_tensor, name_of_file
from neuron_cluster.catalog.weight_format import PLAIN
from neuron_cluster.findings.text import on_one_line
from neuron_cluster.sizing.config_fields import fields_of_unknown_family
from neuron_cluster.sizing.count_parameters import head_size, key_value_heads
from neuron_cluster.sizing.known_model import sizes_of_row
from neuron_cluster.sizing.memory import weights_of
from neuron_cluster.sizing.model_sizes import ModelSizes
from neuron_cluster.sizing.read_config import (
    known_family,
    read_model_config,
    sizes_of_config,
    stored_bytes,
    stored_format,
    text_config,
)

OPTION, INSTEAD = "--model-config", "or leave --model-config out"


class ModelShape(Struct, frozen=True):
    """``weight_bytes`` and ``parameters`` are None where ``config.json`` does not decide them: quantized weights
    without the index of their files, experts of a family that is not known."""

    name: str
    layers: int
    attention_heads: int
    key_value_heads: int
    head_size: int
    parameters: int | None
    weight_bytes: int | None
    is_certain: bool
    """Whether it is of the user's file; a name is only a label of the weights."""
    largest_tensor: int | None = None
    """Parameters; None where ``parameters`` is."""
    sizes: ModelSizes | None = None
    """As ``recommend`` reads them; of a family that is not known without parameters (0)."""

    def bytes_per_token(self, catalog: Catalog) -> int:
        """Keys and values of one token in BF16, over all cores that do not repeat a head."""
        cached = self.sizes.cached_numbers if self.sizes is not None else 2 * self.key_value_heads * self.head_size
        return self.layers * cached * int(catalog.weight_formats[PLAIN].size)


def shape_of_row(row: Model, catalog: Catalog) -> ModelShape:
    """With weights in BF16, as the model is published."""
    sizes = sizes_of_row(row)
    weights = round(weights_of(sizes, catalog.weight_formats[PLAIN], catalog).total)
    return _shape(sizes, row.parameters, weights, row.largest_tensor, is_certain=False)


def shape_of_file(file: Path, catalog: Catalog) -> ModelShape:
    """Returns the shape of a ``config.json`` in Hugging Face's format. Raises ``ToolkitError``."""
    whole = read_model_config(file, catalog, OPTION, INSTEAD)
    family = known_family(whole, catalog)
    if family is None:
        return _shape_of_unknown_family(file, whole, catalog)
    sizes = sizes_of_config(file, whole, family, catalog, instead=INSTEAD)
    tensor = largest_tensor(sizes.hidden, max(sizes.intermediates, default=0), sizes.vocabulary)
    return _shape(sizes, sizes.parameters, _weight_bytes(sizes, whole, catalog), tensor, is_certain=True)


def _shape(
    sizes: ModelSizes, parameters: int | None, weight_bytes: int | None, tensor: int | None, *, is_certain: bool
) -> ModelShape:
    return ModelShape(
        name=sizes.name,
        layers=sizes.layers,
        attention_heads=sizes.heads,
        key_value_heads=sizes.key_value_heads,
        head_size=sizes.head_size,
        parameters=parameters,
        weight_bytes=weight_bytes,
        is_certain=is_certain,
        largest_tensor=tensor,
        sizes=sizes,
    )


def _weight_bytes(sizes: ModelSizes, whole: Mapping[str, Any], catalog: Catalog) -> int | None:
    """Returns the bytes of the index next to the file if there is one, else by the precision, if that is known."""
    if sizes.stored_bytes is not None:
        return sizes.stored_bytes
    is_quantized = any(each.get("quantization_config") for each in (whole, text_config(whole)))
    name, is_assumed = stored_format(whole, text_config(whole), catalog)
    row = catalog.weight_formats[name]
    return None if is_quantized or is_assumed or row.scope != "all" else round(weights_of(sizes, row, catalog).total)


def _shape_of_unknown_family(file: Path, whole: Mapping[str, Any], catalog: Catalog) -> ModelShape:
    """A decoder with the fields of any family: what they do not decide stays open."""
    config = text_config(whole)
    name = str(config.get("model_type") or whole.get("model_type") or "")
    fields = fields_of_unknown_family(str(file), config, on_one_line(name[:80]), INSTEAD, catalog)
    layers, heads, hidden = (fields.positive(size) for size in ("layers", "heads", "hidden"))
    groups, size = key_value_heads(fields), head_size(fields)
    intermediate, vocabulary = (fields.optional(each, least=1) or 0 for each in ("intermediate", "vocabulary"))
    experts, expert_intermediate = fields.optional("experts") or 0, 0
    if experts and fields.path("expert_intermediate") != fields.path("intermediate"):
        expert_intermediate = fields.optional("expert_intermediate", least=1) or 0
    parameters = None
    if intermediate and vocabulary and not experts:
        parameters = dense_parameters(
            layers=layers,
            hidden_size=hidden,
            intermediate_size=intermediate,
            heads=heads + groups,
            head_size=size,
            vocabulary_size=vocabulary,
            tied_embeddings=fields.flag("tied"),
        )
    sizes = ModelSizes(
        name=name_of_file(file),
        family="",
        layers=layers,
        hidden=hidden,
        heads=heads,
        key_value_heads=groups,
        head_size=size,
        vocabulary=vocabulary,
        parameters=parameters or 0,
        embedding_parameters=vocabulary * hidden,
        experts=experts,
        expert_intermediate=expert_intermediate,
        intermediates=(intermediate,) if intermediate else (),
        stored_format=stored_format(whole, config, catalog)[0],
        stored_bytes=stored_bytes(file, catalog),
    )
    weight_bytes = sizes.stored_bytes if parameters is None else _weight_bytes(sizes, whole, catalog)
    tensor = largest_tensor(hidden, intermediate, vocabulary) if parameters is not None else None
    return _shape(sizes, parameters, weight_bytes, tensor, is_certain=True)
