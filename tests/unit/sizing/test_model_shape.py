"""``config.json`` of a model: sizes, what they do not decide, and files that are none."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.sizing.model_shape import shape_of_file
from neuron_cluster.sizing.read_config import INDEX
from tests.every_case import every_case

CATALOG = load_catalog()

SMALL: dict[str, Any] = {
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "torch_dtype": "bfloat16",
}
MODELS = Path(__file__).parents[2] / "fixtures" / "models"
PARAMETERS = 8_030_261_248


def written(folder: Path, content: object, index: object = None) -> Path:
    file = folder / "config.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    if index is not None:
        (folder / INDEX).write_text(json.dumps(index))
    return file


@every_case(
    "changes, index, parameters, weights",
    [
        ({}, None, PARAMETERS, 2 * PARAMETERS),
        ({"dtype": "float32"}, None, PARAMETERS, 4 * PARAMETERS),
        ({"tie_word_embeddings": True}, None, PARAMETERS - 128256 * 4096, 2 * (PARAMETERS - 128256 * 4096)),
        ({"torch_dtype": "float8"}, None, PARAMETERS, None),
        ({"quantization_config": {"quant_method": "fp8"}}, None, PARAMETERS, None),
        ({"quantization_config": {"quant_method": "fp8"}}, {"metadata": {"total_size": 9}}, PARAMETERS, 9),
        ({"num_experts": 8}, None, None, None),
        ({"num_local_experts": 8}, {"metadata": {"total_size": 9}}, None, 9),
        ({"vocab_size": None}, None, None, None),
        ({}, {"metadata": "?"}, PARAMETERS, 2 * PARAMETERS),
    ],
)
def test_what_a_file_decides(
    changes: dict[str, Any], index: object, parameters: int | None, weights: int | None, tmp_path: Path
) -> None:
    (tmp_path / INDEX).unlink(missing_ok=True)
    shape = shape_of_file(written(tmp_path, {**SMALL, **changes}, index), CATALOG)
    assert (shape.parameters, shape.weight_bytes) == (parameters, weights)
    assert (shape.attention_heads, shape.key_value_heads, shape.head_size) == (32, 8, 128)
    assert shape.bytes_per_token(CATALOG) == 131072
    assert shape.largest_tensor == (None if parameters is None else 128256 * 4096)


def test_the_text_of_a_model_with_images_is_what_is_divided(tmp_path: Path) -> None:
    shape = shape_of_file(written(tmp_path, {"vision_config": {}, "text_config": SMALL}), CATALOG)
    assert (shape.layers, shape.name) == (32, tmp_path.name)


def test_an_index_of_many_tensors_has_the_size_of_the_weights(tmp_path: Path) -> None:
    tensors = {
        f"model.layers.{number}.mlp.experts.weight": "model-00001-of-00002.safetensors" for number in range(20_000)
    }
    (tmp_path / INDEX).write_text(json.dumps({"metadata": {"total_size": 12}, "weight_map": tensors}))
    assert (tmp_path / INDEX).stat().st_size > 2**20
    assert shape_of_file(written(tmp_path, SMALL), CATALOG).weight_bytes == 12


@every_case(
    "content, text",
    [
        ("{", "is not JSON: it is incomplete, line 1 is the last one"),
        ("", "is not JSON: it is empty"),
        ("[" * 100_000, "is not JSON: its objects are nested too deeply"),
        ("[]", "is not a JSON object"),
        ({}, "has no num_hidden_layers"),
        ({**SMALL, "num_attention_heads": 0}, "num_attention_heads is 0, expected a whole number from 1 to"),
        (
            {**SMALL, "num_attention_heads": 10**10},
            "num_attention_heads is 10000000000, expected a whole number from 1",
        ),
        ({**SMALL, "num_attention_heads": 33}, "does not divide the hidden size of 4096|num_key_value_heads is 8"),
        ({**SMALL, "num_key_value_heads": 7}, "num_key_value_heads is 7, which does not divide the 32 heads"),
        ({**SMALL, "hidden_size": "4096"}, 'hidden_size is "4096", expected a whole number'),
        ({**SMALL, "num_hidden_layers": True}, "num_hidden_layers is true, expected a whole number"),
        ({**SMALL, "num_hidden_layers": None}, "has no num_hidden_layers or n_layers or n_layer, which a model needs"),
        ({**SMALL, "num_key_value_heads": 0}, "num_key_value_heads is 0, expected a whole number from 1"),
        ({**SMALL, "num_experts": "8"}, 'num_experts is "8", expected a whole number from 0'),
        ({**SMALL, "n_routed_experts": -1}, "n_routed_experts is -1, expected a whole number from 0"),
        ({**SMALL, "tie_word_embeddings": "no"}, 'tie_word_embeddings is "no", expected true or false'),
        ({**SMALL, "text_config": "llama"}, 'text_config is "llama", expected an object'),
        ({**SMALL, "model_type": 5}, 'model_type is "5", expected a text such as llama'),
        ({"model_type": "new", "llm_config": SMALL}, "which a model of the type new needs"),
    ],
)
def test_what_is_not_the_file_of_a_model(content: object, text: str, tmp_path: Path) -> None:
    with pytest.raises(ToolkitError, match=text):
        shape_of_file(written(tmp_path, content), CATALOG)
    with pytest.raises(ToolkitError, match="No such file"):
        shape_of_file(tmp_path / "other.json", CATALOG)


MIXTURES = ("mixtral-8x7b", "qwen3-30b-a3b", "deepseek-v3", "gpt-oss-120b")
WRONG: tuple[Any, ...] = (None, 0, -1, 1.5, "4096", True, [], {}, 10**10, 10**30, float("nan"))
REASON = re.compile(r"is not|has no|which|more than|expected", re.IGNORECASE)


def error_of(file: Path) -> ToolkitError | None:
    """None where the file has a shape; another exception fails the test."""
    try:
        shape_of_file(file, CATALOG)
    except ToolkitError as error:
        return error
    return None


POSITIVE = (
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "vocab_size",
)


@pytest.mark.parametrize("model_type", ["llama", "newcomer"])
@pytest.mark.parametrize("is_nested", [False, True])
def test_each_wrong_size_is_an_error_with_field_value_and_what_is_allowed(
    model_type: str, is_nested: bool, tmp_path: Path
) -> None:
    """Null is a missing field: nested, the default of a known family; without one, that of Hugging Face or an error."""
    config = json.loads((MODELS / "llama-3.1-8b.json").read_text()) | {"model_type": model_type}
    for key, value in product(POSITIVE, WRONG):
        changed = config | {key: value}
        error = error_of(written(tmp_path, {"model_type": "llava", "text_config": changed} if is_nested else changed))
        if value is not None:
            assert error is not None, (key, value)
            assert re.search(rf"{key} is .+, expected a whole number from 1 to 1,000,000,000", str(error)), error
            assert error.hint == "correct the field, or leave --model-config out"
        elif error is not None:
            assert f"has no {key}" in str(error)


def test_key_value_heads_are_as_many_as_heads_where_they_are_null_or_missing(tmp_path: Path) -> None:
    config = json.loads((MODELS / "llama-3.1-8b.json").read_text())
    without = {key: value for key, value in config.items() if key != "num_key_value_heads"}
    for changed in (without, without | {"num_key_value_heads": None}, without | {"model_type": "newcomer"}):
        shape = shape_of_file(written(tmp_path, changed), CATALOG)
        assert (shape.attention_heads, shape.key_value_heads) == (32, 32)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", MIXTURES)
def test_each_wrong_size_of_a_mixture_is_an_error_with_a_number_or_has_no_effect(name: str, tmp_path: Path) -> None:
    config = json.loads((MODELS / f"{name}.json").read_text())
    for key, value in product(config, WRONG):
        error = error_of(written(tmp_path, config | {key: value}))
        assert error is None or REASON.search(str(error)), (key, value, error)


@every_case(
    "config, sizes",
    [
        ({"n_layer": 12, "n_head": 12, "n_embd": 768}, (12, 12, 12, 768)),
        ({"n_layers": 12, "n_heads": 8, "d_model": 512, "attn_config": {"kv_n_heads": 4}}, (12, 8, 4, 512)),
        ({"num_hidden_layers": 2, "num_attention_heads": 8, "hidden_size": 64, "num_kv_heads": 2}, (2, 8, 2, 64)),
    ],
)
def test_sizes_of_an_unknown_family_have_the_names_of_any_family(
    config: dict[str, Any], sizes: tuple[int, ...], tmp_path: Path
) -> None:
    shape = shape_of_file(written(tmp_path, {"model_type": "newcomer", **config}), CATALOG)
    assert shape.sizes is not None
    assert (shape.layers, shape.attention_heads, shape.key_value_heads, shape.sizes.hidden) == sizes


@every_case("key", ["num_experts", "num_local_experts", "n_routed_experts"])
def test_experts_of_an_unknown_family_have_any_name(key: str, tmp_path: Path) -> None:
    shape = shape_of_file(written(tmp_path, {**SMALL, key: 8, "moe_intermediate_size": 768}), CATALOG)
    assert shape.sizes is not None
    assert (shape.sizes.experts, shape.sizes.expert_intermediate, shape.parameters) == (8, 768, None)
    shape = shape_of_file(written(tmp_path, {**SMALL, key: 8}), CATALOG)
    assert shape.sizes is not None
    assert (shape.sizes.expert_intermediate, shape.sizes.intermediates) == (0, (14336,))


def test_a_part_that_describes_the_text_model_is_named(tmp_path: Path) -> None:
    nested = {"vision_config": {"hidden_size": 8, "num_hidden_layers": 2}, "llm_config": SMALL}
    error = error_of(written(tmp_path, {"model_type": "internvl_chat", **nested}))
    assert error is not None
    assert (error.hint or "").startswith("write the part llm_config to a file of its own, or add the field")
    assert error_of(written(tmp_path, SMALL)) is None


def test_a_file_where_nothing_is_read_is_an_error_with_all_names(tmp_path: Path) -> None:
    error = error_of(written(tmp_path, {"model_type": "newcomer", "width": 4096, "depth": 32}))
    assert "has no num_hidden_layers or n_layers or n_layer, which a model of the type newcomer needs" in str(error)


def test_experts_of_a_known_family_are_counted(tmp_path: Path) -> None:
    shape = shape_of_file(written(tmp_path, (MODELS / "qwen3-30b-a3b.json").read_text()), CATALOG)
    assert shape.sizes is not None
    assert shape.sizes.experts == 128
    assert shape.parameters is not None
    assert shape.weight_bytes == 2 * shape.parameters


@pytest.mark.parametrize(("file", "name"), [("llama8b.json", "llama8b"), ("config.json", "newcomer")])
def test_a_model_is_named_after_its_file_and_a_config_json_after_its_folder(
    file: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / "newcomer").mkdir()
    path = tmp_path / "newcomer" / file
    path.write_text(json.dumps(SMALL))
    assert shape_of_file(path, CATALOG).name == name
