"""The sizes of a model: of its ``config.json``, or of the catalog by its name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from neuron_cluster.bounded_file import read_bounded
from neuron_cluster.catalog.model import Model, dense_parameters, largest_tensor, name_of_file
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.json_reason import why_not_json

INDEX = "model.safetensors.index.json"
"""Beside ``config.json`` of models in several files; ``metadata.total_size`` is the size of all weights."""
LARGEST_INDEX = 64 * 2**20
"""Bytes: it names each tensor, of which a model with experts has a hundred thousand."""
BYTES = {"bfloat16": 2, "float16": 2, "float32": 4}
EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts")
NEEDED = ("num_hidden_layers", "num_attention_heads", "hidden_size")


class ModelShape(Struct, frozen=True):
    """``weight_bytes`` and ``parameters`` are None where ``config.json`` does not decide them: quantized weights
    without the index of their files, experts."""

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

    @property
    def bytes_per_token(self) -> int:
        """Keys and values of one token in BF16, over all cores that do not repeat a head."""
        return 2 * self.layers * self.key_value_heads * self.head_size * BYTES["bfloat16"]


def shape_of_row(row: Model) -> ModelShape:
    """With weights in BF16, as the model is published."""
    return ModelShape(
        name=row.name,
        layers=row.layers,
        attention_heads=row.attention_heads,
        key_value_heads=row.key_value_heads,
        head_size=row.head_size,
        parameters=row.parameters,
        weight_bytes=row.parameters * BYTES["bfloat16"],
        is_certain=False,
        largest_tensor=row.largest_tensor,
    )


def shape_of_file(file: Path) -> ModelShape:
    """Of a ``config.json`` as Hugging Face has it. Raises ``ToolkitError``."""
    config = _read(file)
    config = config["text_config"] if isinstance(config.get("text_config"), Mapping) else config
    missing = [key for key in NEEDED if not _count(config, key)]
    if missing:
        raise ToolkitError(
            f"{file} has no {missing[0]} that is a positive number", hint="--model-config is the config.json of a model"
        )
    layers, heads, hidden = (_count(config, key) for key in NEEDED)
    groups, size = _count(config, "num_key_value_heads") or heads, _count(config, "head_dim") or hidden // heads
    parameters = _parameters(config, heads=heads + groups, head_size=size)
    return ModelShape(
        name=name_of_file(file),
        layers=layers,
        attention_heads=heads,
        key_value_heads=groups,
        head_size=size,
        parameters=parameters,
        weight_bytes=_weight_bytes(file, config, parameters),
        is_certain=True,
        largest_tensor=_largest_tensor(config) if parameters is not None else None,
    )


def _parameters(config: Mapping[str, Any], *, heads: int, head_size: int) -> int | None:
    """None with experts, or where a size is missing."""
    intermediate, vocabulary = (_count(config, key) for key in ("intermediate_size", "vocab_size"))
    if not intermediate or not vocabulary or any(_count(config, key) for key in EXPERTS):
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


def _largest_tensor(config: Mapping[str, Any]) -> int:
    return largest_tensor(*(_count(config, key) for key in ("hidden_size", "intermediate_size", "vocab_size")))


def _weight_bytes(file: Path, config: Mapping[str, Any], parameters: int | None) -> int | None:
    """Of the index beside the file if there is one, else by the precision."""
    index = file.parent / INDEX
    if index.is_file():
        metadata = _read(index, max_bytes=LARGEST_INDEX).get("metadata")
        size = _count(metadata, "total_size") if isinstance(metadata, Mapping) else 0
        if size:
            return size
    width = BYTES.get(str(config.get("dtype") or config.get("torch_dtype")))
    return parameters * width if parameters and width and not config.get("quantization_config") else None


def _count(config: Mapping[str, Any], key: str) -> int:
    """0 for what is not a positive integer."""
    found = config.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else 0


def _read(file: Path, **limits: int) -> Mapping[str, Any]:
    hint = "--model-config is the config.json of a model"
    try:
        read = json.loads(read_bounded(file, **limits))
    except OSError as error:
        raise ToolkitError(f"{file} cannot be read: {error.strerror}", hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise ToolkitError(f"{file} is not JSON: {why_not_json(error)}", hint=hint) from error
    if not isinstance(read, Mapping):
        raise ToolkitError(f"{file} is not a JSON object", hint=hint)
    return read
