"""``config.json`` of a model: sizes, what they do not decide, and files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.workloads.model_shape import INDEX, shape_of_file
from tests.every_case import every_case

SMALL: dict[str, Any] = {
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "torch_dtype": "bfloat16",
}
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
    shape = shape_of_file(written(tmp_path, {**SMALL, **changes}, index))
    assert (shape.parameters, shape.weight_bytes) == (parameters, weights)
    assert (shape.attention_heads, shape.key_value_heads, shape.head_size) == (32, 8, 128)
    assert shape.bytes_per_token == 131072
    assert shape.largest_tensor == (None if parameters is None else 128256 * 4096)


def test_the_text_of_a_model_with_images_is_what_is_divided(tmp_path: Path) -> None:
    shape = shape_of_file(written(tmp_path, {"vision_config": {}, "text_config": SMALL}))
    assert (shape.layers, shape.name) == (32, tmp_path.name)


def test_an_index_of_many_tensors_has_the_size_of_the_weights(tmp_path: Path) -> None:
    tensors = {
        f"model.layers.{number}.mlp.experts.weight": "model-00001-of-00002.safetensors" for number in range(20_000)
    }
    (tmp_path / INDEX).write_text(json.dumps({"metadata": {"total_size": 12}, "weight_map": tensors}))
    assert (tmp_path / INDEX).stat().st_size > 2**20
    assert shape_of_file(written(tmp_path, SMALL)).weight_bytes == 12


@every_case(
    "content, words",
    [
        ("{", "is not JSON: it is incomplete, line 1 is the last one"),
        ("", "is not JSON: it is empty"),
        ("[" * 100_000, "is not JSON: its objects are nested too deeply"),
        ("[]", "is not a JSON object"),
        ({}, "has no num_hidden_layers"),
        ({**SMALL, "num_attention_heads": 0}, "has no num_attention_heads"),
        ({**SMALL, "hidden_size": "4096"}, "has no hidden_size"),
        ({**SMALL, "num_hidden_layers": True}, "has no num_hidden_layers"),
    ],
)
def test_what_is_not_the_file_of_a_model(content: object, words: str, tmp_path: Path) -> None:
    with pytest.raises(ToolkitError, match=words):
        shape_of_file(written(tmp_path, content))
    with pytest.raises(ToolkitError, match="No such file"):
        shape_of_file(tmp_path / "other.json")


@pytest.mark.parametrize(("file", "name"), [("llama8b.json", "llama8b"), ("config.json", "newcomer")])
def test_a_model_is_named_after_its_file_and_a_config_json_after_its_folder(
    file: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / "newcomer").mkdir()
    path = tmp_path / "newcomer" / file
    path.write_text(json.dumps(SMALL))
    assert shape_of_file(path).name == name
