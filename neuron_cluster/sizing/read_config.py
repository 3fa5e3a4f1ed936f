"""A ``config.json`` of Hugging Face as the sizes of a model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from neuron_cluster.bounded_file import read_bounded
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.model import name_of_file
from neuron_cluster.catalog.model_family import USUAL, ModelFamily
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.json_reason import why_not_json
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import listed, quoted
from neuron_cluster.sizing.config_fields import INSTEAD, LARGEST, ConfigFields
from neuron_cluster.sizing.count_parameters import count_parameters, head_size, intermediate_sizes, key_value_heads
from neuron_cluster.sizing.model_sizes import ModelSizes
from neuron_cluster.sizing.vision import vision_parameters

INDEX = "model.safetensors.index.json"
"""The file next to a ``config.json`` whose weights are in several files: it has their size."""
BLOCKS = (
    "The weights have a scale for each block of numbers: they may need a conversion before they are loaded, or run in "
    "BF16 (--dtype bf16)."
)
"""aws-neuron/neuronx-distributed-inference@4bcdc54: contrib/models/DeepSeek-V3 (BF16), GLM-5.2 (converted experts)."""
_SIZE = re.compile(r"(?<![0-9a-z.])([0-9]{1,4}(?:\.[0-9]{1,3})?)b(?![a-z0-9])", re.IGNORECASE)
"""Billions of parameters in a name such as ``deepseek-67b``."""


def read_model(file: Path, catalog: Catalog) -> ModelSizes:
    """Raises ``ToolkitError`` for a file that cannot be read, another program's, or a family that is not known."""
    whole = read_model_config(file, catalog)
    return sizes_of_config(file, whole, family_of(file, whole, catalog), catalog)


def read_model_config(
    file: Path, catalog: Catalog, option: str = "--model", instead: str = INSTEAD
) -> Mapping[str, Any]:
    """As ``read_config``. Raises ``ToolkitError``, too, for a part of the text model or a type of another kind."""
    whole = read_config(file, catalog, option, instead)
    for key, kind, expected in (("text_config", Mapping, "an object"), ("model_type", str, "a text such as llama")):
        for part in (whole, text_config(whole)):
            if part.get(key) is not None and not isinstance(part[key], kind):
                message = f"{file}: {key} is {quoted(str(part[key])[:80])}, expected {expected}"
                raise ToolkitError(message, hint=f"correct the field, {instead}")
    return whole


def sizes_of_config(
    file: Path, whole: Mapping[str, Any], family: ModelFamily, catalog: Catalog, *, instead: str = INSTEAD
) -> ModelSizes:
    """Raises ``ToolkitError`` for a size that is missing or not a count; ``instead`` ends its hint."""
    config = text_config(whole)
    return _sizes(
        file, ConfigFields(str(file), config, family, catalog, is_nested=config is not whole, instead=instead), whole
    )


def text_config(whole: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part that describes the text model."""
    nested = whole.get("text_config")
    return nested if isinstance(nested, Mapping) else whole


def _sizes(file: Path, fields: ConfigFields, whole: Mapping[str, Any]) -> ModelSizes:
    family, counted = fields.family, count_parameters(fields)
    vision, assumptions = vision_parameters(whole, fields.catalog), []
    if vision:
        assumptions.append("The vision tower is counted by its attention and feed-forward matrices alone.")
    stored, reason = stored_format(whole, fields.config, fields.catalog)
    assumptions += [reason] if reason else []
    has_experts = bool(counted.experts)
    if has_experts and fields.positive("experts_per_token") > fields.positive("experts"):
        raise fields.contradiction("experts_per_token", "more than the experts")
    latent = family.attention == "latent"
    window = fields.optional("window") or None
    return ModelSizes(
        name=name_of_file(file),
        family=family.name,
        layers=fields.positive("layers"),
        hidden=fields.positive("hidden"),
        heads=fields.positive("heads"),
        key_value_heads=key_value_heads(fields),
        head_size=head_size(fields),
        vocabulary=fields.positive("vocabulary"),
        parameters=counted.total + vision,
        embedding_parameters=counted.embeddings,
        attention_parameters=counted.attention,
        expert_parameters=counted.experts,
        vision_parameters=vision,
        experts=fields.positive("experts") if has_experts else 0,
        experts_per_token=fields.positive("experts_per_token") if has_experts else 0,
        expert_intermediate=fields.positive("expert_intermediate") if has_experts else 0,
        intermediates=intermediate_sizes(fields),
        latent_size=fields.positive("key_value_rank") + fields.positive("rotary_head_size") if latent else None,
        window=window,
        window_layers=_window_layers(fields) if window else 0,
        index_heads=(fields.optional("index_heads") or 0) if family.sparse_indexer else 0,
        adapter_dimensions=counted.adapter_dimensions,
        is_encoder=family.encoder,
        stored_format=stored,
        stored_bytes=stored_bytes(file, fields.catalog),
        longest=fields.optional("positions") or None,
        assumptions=tuple(assumptions),
    )


def known_family(whole: Mapping[str, Any], catalog: Catalog) -> ModelFamily | None:
    """Returns the family by the type of the text model, else by that of the whole; None for an unknown one."""
    return next(
        (family for each in _types(whole) if (family := catalog.model_families.of_model_type(each)) is not None), None
    )


def _types(whole: Mapping[str, Any]) -> list[str]:
    found = (text_config(whole).get("model_type"), whole.get("model_type"))
    return [each for each in found if isinstance(each, str)]


def family_of(file: Path, whole: Mapping[str, Any], catalog: Catalog) -> ModelFamily:
    """As ``known_family``. Raises ``ToolkitError`` where the catalog has none."""
    types = _types(whole)
    if not types:
        raise ToolkitError(
            f"{file} has no model_type: it is not the config.json of a model of Hugging Face",
            hint=f"--model is the config.json beside the weights, {INSTEAD}",
        )
    found = known_family(whole, catalog)
    if found is None:
        known = [each for row in catalog.model_families for each in row.model_types]
        near = did_you_mean_one_of(types[0], known)
        raise ToolkitError(
            f"{file}: the model_type {quoted(types[0])} is not a known family of models",
            hint=f"{near}describe the model with --parameters, such as --parameters 70B; known families: "
            f"{listed(sorted(name for name in catalog.model_families.names if name != USUAL))}",
        )
    return found


def _window_layers(fields: ConfigFields) -> int:
    layers, kind = fields.positive("layers"), fields.family.window_layers
    if kind == "listed":
        listed_types = fields.items("layer_types")
        return sum(each == "sliding_attention" for each in listed_types[:layers]) if listed_types else _periodic(fields)
    is_whole = kind == "none" or (kind == "configured" and not fields.flag("uses_window"))
    return 0 if is_whole else layers


def _periodic(fields: ConfigFields) -> int:
    """Layers with a window where one of so many has none: by a number, or by a letter for each such as ``LLLG``."""
    layers, pattern = fields.positive("layers"), fields.value("window_period")
    period = len(pattern) if isinstance(pattern, str) else fields.optional("window_period")
    period = period or fields.family.window_period
    return layers - layers // period if period else 0


def stored_format(whole: Mapping[str, Any], config: Mapping[str, Any], catalog: Catalog) -> tuple[str, str]:
    """A name of ``weight_formats``, and a sentence where it is assumed. ``dtype`` counts before ``torch_dtype``."""
    quantized = whole.get("quantization_config") or config.get("quantization_config")
    if isinstance(quantized, Mapping):
        method = str(quantized.get("quant_method", ""))
        method = "fp8" if "fp8" in str(quantized.get("quant_algo", "")).lower() else method
        formats: tuple[Any, ...] = (method,)
    else:
        formats = tuple(each.get(key) for each in (whole, config) for key in ("dtype", "torch_dtype"))
    names = [str(word) for word in formats if word]
    rows = catalog.weight_formats.rows
    found = next((row.name for name in names for row in rows if name in row.config_names), None)
    if found is not None:
        return found, BLOCKS if isinstance(quantized, Mapping) and quantized.get("weight_block_size") else ""
    given = f"in the format {quoted(names[0])}, which has no row in the catalog" if names else "in no stated format"
    return "bf16", f"The weights are {given}: they are counted as BF16 (--dtype sets another one)."


def stored_bytes(file: Path, catalog: Catalog) -> int | None:
    index = file.parent / INDEX
    if not index.is_file():
        return None
    metadata = read_config(index, catalog, max_bytes=64 * 2**20).get("metadata")
    size = metadata.get("total_size") if isinstance(metadata, Mapping) else None
    return int(size) if isinstance(size, int | float) and 0 < size < LARGEST**2 else None


def read_config(
    file: Path, catalog: Catalog, option: str = "--model", instead: str = INSTEAD, **limits: int
) -> Mapping[str, Any]:
    """The JSON object of a file. Raises ``ToolkitError`` for a file that is none; its hint names ``option``."""
    hint = f"{option} is the config.json of a model, {instead}"
    try:
        read = json.loads(read_bounded(file, **limits))
    except IsADirectoryError as error:
        raise ToolkitError(f"{file} is a folder", hint=f"name the file: {file / 'config.json'}") from error
    except FileNotFoundError as error:
        raise _no_such_file(file, option, hint, catalog) from error
    except OSError as error:
        raise ToolkitError(f"{file} cannot be read: {error.strerror or error}", hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise ToolkitError(f"{file} is not JSON: {why_not_json(error)}", hint=hint) from error
    if not isinstance(read, Mapping):
        raise ToolkitError(f"{file} is not a JSON object", hint=hint)
    return read


def _no_such_file(file: Path, option: str, hint: str, catalog: Catalog) -> ToolkitError:
    """With names of the catalog, and the number of parameters that the name states."""
    if option != "--model":
        return ToolkitError(f"{file} cannot be read: No such file", hint=hint)
    near = did_you_mean_one_of(str(file), catalog.models.names)
    size = _SIZE.search(file.name)
    stated = f"by its name: --parameters {size[1]}B; " if size is not None else ""
    others = "" if near else f"; models of the catalog: {', '.join(sorted(catalog.models.names))}"
    message = f"{file} cannot be read: No such file, and no model of the catalog has this name"
    return ToolkitError(message, hint=f"{near}{stated}{hint}{others}")
