"""The sizes of a model: of its ``config.json``, or of the catalog by its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.model import Model, dense_parameters, largest_tensor, name_of_file
from neuron_cluster.catalog.weight_format import weight_formats
from neuron_cluster.errors import ToolkitError
from neuron_cluster.sizing.known_model import sizes_of_row
from neuron_cluster.sizing.memory import weights_of
from neuron_cluster.sizing.model_sizes import ModelSizes
from neuron_cluster.sizing.read_config import (
    known_family,
    read_config,
    sizes_of_config,
    stored_bytes,
    text_config,
)

BYTES = {"bfloat16": 2, "float16": 2, "float32": 4}
EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts")
NEEDED = ("num_hidden_layers", "num_attention_heads", "hidden_size")
OPTION, INSTEAD = "--model-config", "or leave --model-config out"
MOST = 10**9
"""Of one size, as for ``recommend``."""


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

    @property
    def bytes_per_token(self) -> int:
        """Keys and values of one token in BF16, over all cores that do not repeat a head."""
        cached = self.sizes.cached_numbers if self.sizes is not None else 2 * self.key_value_heads * self.head_size
        return self.layers * cached * BYTES["bfloat16"]


def shape_of_row(row: Model) -> ModelShape:
    """With weights in BF16, as the model is published."""
    sizes = sizes_of_row(row)
    return _shape(sizes, row.parameters, row.parameters * BYTES["bfloat16"], row.largest_tensor, is_certain=False)


def shape_of_file(file: Path) -> ModelShape:
    """Of a ``config.json`` as Hugging Face has it. Raises ``ToolkitError``."""
    whole = read_config(file, OPTION, "beside its weights")
    family = known_family(whole)
    if family is None:
        return _shape_of_unknown_family(file, whole)
    sizes = sizes_of_config(file, whole, family, instead=INSTEAD)
    tensor = largest_tensor(sizes.hidden, max(sizes.intermediates, default=0), sizes.vocabulary)
    return _shape(sizes, sizes.parameters, _weight_bytes(sizes, whole), tensor, is_certain=True)


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


def _weight_bytes(sizes: ModelSizes, whole: Mapping[str, Any]) -> int | None:
    """Of the index beside the file if there is one, else by the precision, where the file states a known one."""
    if sizes.stored_bytes is not None:
        return sizes.stored_bytes
    is_quantized = any(each.get("quantization_config") for each in (whole, text_config(whole)))
    precision = _precision(whole)
    return None if is_quantized or precision is None else round(weights_of(sizes, weight_formats()[precision]).total)


def _precision(whole: Mapping[str, Any]) -> str | None:
    """The format of weights that are not quantized; None for one that the file does not state."""
    words = {str(each.get(key)) for each in (whole, text_config(whole)) for key in ("dtype", "torch_dtype")}
    found = (row.name for row in weight_formats().values() if words & set(row.config_names) & set(BYTES))
    return next(found, None)


def _shape_of_unknown_family(file: Path, whole: Mapping[str, Any]) -> ModelShape:
    """As a decoder of the usual fields: what they do not decide stays open."""
    config = text_config(whole)
    missing = [key for key in NEEDED if not _count(config, key)]
    if missing:
        raise ToolkitError(
            f"{file} has no {missing[0]} that is a whole number from 1 to {MOST:,}",
            hint=f"{OPTION} is the config.json of a model, {INSTEAD}",
        )
    layers, heads, hidden = (_count(config, key) for key in NEEDED)
    groups, size = _count(config, "num_key_value_heads") or heads, _count(config, "head_dim") or hidden // heads
    if heads % groups:
        raise ToolkitError(
            f"{file}: num_key_value_heads is {groups}, which does not divide the {heads} heads",
            hint=f"correct the field, {INSTEAD}",
        )
    if not _count(config, "head_dim") and hidden % heads:
        raise ToolkitError(
            f"{file}: num_attention_heads is {heads}, which does not divide the hidden size of {hidden}",
            hint=f"correct the field, {INSTEAD}",
        )
    experts = next((found for key in EXPERTS if (found := _count(config, key))), 0)
    parameters = None if experts else _parameters(config, heads=heads + groups, head_size=size)
    intermediate, vocabulary = (_count(config, key) for key in ("intermediate_size", "vocab_size"))
    stored, width = stored_bytes(file), BYTES.get(str(config.get("dtype") or config.get("torch_dtype")))
    is_plain = parameters and width and not config.get("quantization_config")
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
        expert_intermediate=_count(config, "moe_intermediate_size") if experts else 0,
        intermediates=(intermediate,) if intermediate else (),
        stored_bytes=stored,
    )
    weight_bytes = stored or (parameters * width if parameters and width and is_plain else None)
    tensor = largest_tensor(hidden, intermediate, vocabulary) if parameters is not None else None
    return _shape(sizes, parameters, weight_bytes, tensor, is_certain=True)


def _parameters(config: Mapping[str, Any], *, heads: int, head_size: int) -> int | None:
    """None where a size is missing."""
    intermediate, vocabulary = (_count(config, key) for key in ("intermediate_size", "vocab_size"))
    if not intermediate or not vocabulary:
        return None
    return dense_parameters(
        layers=_count(config, "num_hidden_layers"),
        hidden_size=_count(config, "hidden_size"),
        intermediate_size=intermediate,
        heads=heads,
        head_size=head_size,
        vocabulary_size=vocabulary,
        tied_embeddings=config.get("tie_word_embeddings") is True,
    )


def _count(config: Mapping[str, Any], key: str) -> int:
    """0 for what is not a positive integer, or larger than any size of a model."""
    found = config.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 < found <= MOST else 0
