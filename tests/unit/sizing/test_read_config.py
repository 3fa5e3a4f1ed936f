"""Requirements on a ``config.json``, and the errors where it has something else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.sizing.read_config import INDEX, read_model

from .models import MODELS, recommended

CATALOG = load_catalog()

DENSE: dict[str, Any] = json.loads((MODELS / "llama-3.1-8b.json").read_text())
MIXTURE: dict[str, Any] = json.loads((MODELS / "qwen3-30b-a3b.json").read_text())


def _written(folder: Path, config: Any) -> Path:
    file = folder / "config.json"
    file.write_text(config if isinstance(config, str) else json.dumps(config))
    return file


NEEDED = ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")


@pytest.mark.parametrize("field", NEEDED)
def test_a_missing_field_is_named(tmp_path: Path, field: str) -> None:
    file = _written(tmp_path, {key: value for key, value in DENSE.items() if key != field})
    with pytest.raises(ToolkitError, match=f"has no {field}, which") as raised:
        read_model(file, CATALOG)
    assert "--parameters" in raised.value.hint


@pytest.mark.parametrize("field", ["num_experts", "num_experts_per_tok", "moe_intermediate_size"])
def test_a_missing_field_of_experts_is_named(tmp_path: Path, field: str) -> None:
    file = _written(tmp_path, {key: value for key, value in MIXTURE.items() if key != field})
    with pytest.raises(ToolkitError, match=f"has no {field}, which"):
        read_model(file, CATALOG)


@pytest.mark.parametrize("value", [-1, 0, 1.5, float("nan"), float("inf"), "4096", True, [], {}, 10**10, 10**400])
def test_a_size_that_is_not_a_count_is_named(tmp_path: Path, value: Any) -> None:
    with pytest.raises(ToolkitError, match="hidden_size"):
        read_model(_written(tmp_path, DENSE | {"hidden_size": value}), CATALOG)


CONTRADICTIONS = [
    ({"num_key_value_heads": 7}, "num_key_value_heads is 7, which does not divide the 32 heads"),
    (
        {"num_attention_heads": 24, "num_key_value_heads": 8},
        "is 24, which does not divide the hidden size",
    ),
    ({"num_attention_heads": 8192}, "num_attention_heads is 8192, more than the hidden size"),
]


@pytest.mark.parametrize(("edit", "message"), CONTRADICTIONS)
def test_sizes_that_contradict_each_other_are_named(tmp_path: Path, edit: dict[str, Any], message: str) -> None:
    with pytest.raises(ToolkitError, match=re.escape(message)):
        read_model(_written(tmp_path, DENSE | edit), CATALOG)


def test_more_experts_of_a_token_than_there_are_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ToolkitError, match="num_experts_per_tok is 129, more than the experts"):
        read_model(_written(tmp_path, MIXTURE | {"num_experts_per_tok": 129}), CATALOG)


BROKEN = {
    "an unknown family": ({"model_type": "mamba"}, 'the model_type "mamba" is not a known family', "--parameters 70B"),
    "another program": ({"compilerOptions": {"strict": True}}, "has no model_type", "--parameters"),
    "a list": ([1], "is not a JSON object", "--model is the config.json"),
    "text": ("name: llama\n", "is not JSON", "--model is the config.json"),
    "nothing": ("", "is not JSON: it is empty", "--model is the config.json"),
    "half a file": (
        '{\n  "model_type": "llama",',
        "is not JSON: it is incomplete, line 2 is the last one",
        "--model is",
    ),
    "half a word": ('{"model_ty', "is not JSON: it is incomplete, line 1 is the last one", "--model is"),
    "a misspelt family": ({"model_type": "qwen3-moe"}, '"qwen3-moe" is not a known family', "did you mean qwen3_moe"),
    "depth": ("[" * 100_000, "is not JSON: its objects are nested too deeply", "--model is the config.json"),
    "digits": ('{"hidden_size": ' + "9" * 5_000 + "}", "is not JSON: a number in it has too many digits", "--model is"),
    "size": (" " * 1_100_000, "larger than 1,024 KiB", "--model is the config.json"),
    "bytes": ("\x00\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "is not JSON", "--model"),
}


@pytest.mark.parametrize(("config", "message", "hint"), BROKEN.values(), ids=BROKEN.keys())
def test_a_file_that_describes_no_model_is_an_error(tmp_path: Path, config: Any, message: str, hint: str) -> None:
    with pytest.raises(ToolkitError, match=re.escape(message)) as raised:
        read_model(_written(tmp_path, config), CATALOG)
    assert hint in raised.value.hint


def test_a_missing_file_and_a_folder_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ToolkitError, match="cannot be read: No such file"):
        read_model(tmp_path / "none.json", CATALOG)
    with pytest.raises(ToolkitError, match="no model of the catalog has this name") as raised:
        read_model(Path("llama-3.1-7b"), CATALOG)
    assert "did you mean llama-3.1-70b, llama-3.1-8b" in raised.value.hint
    with pytest.raises(ToolkitError, match="no model of the catalog") as raised:
        read_model(Path("deepseek-67b"), CATALOG)
    assert "--parameters 67B" in raised.value.hint
    with pytest.raises(ToolkitError, match="no model of the catalog") as raised:
        read_model(Path("resnet-50"), CATALOG)
    assert "models of the catalog: llama-3-70b, " in raised.value.hint
    assert "--parameters 50B" not in raised.value.hint
    with pytest.raises(ToolkitError, match="is a folder") as raised:
        read_model(tmp_path, CATALOG)
    assert str(tmp_path / "config.json") in raised.value.hint


@pytest.mark.parametrize(
    ("fields", "stored"),
    [
        ({"torch_dtype": "float16"}, "fp16"),
        ({"dtype": "float32", "torch_dtype": None}, "fp32"),
        ({"quantization_config": {"quant_method": "fp8"}}, "fp8"),
        ({"quantization_config": {"quant_method": "modelopt", "quant_algo": "FP8"}}, "fp8"),
        ({"quantization_config": {"quant_method": "mxfp4"}}, "mxfp4"),
    ],
)
def test_the_format_of_the_weights_is_that_of_the_file(tmp_path: Path, fields: dict[str, Any], stored: str) -> None:
    model = read_model(_written(tmp_path, DENSE | fields), CATALOG)
    assert (model.stored_format, model.assumptions) == (stored, ())


@pytest.mark.parametrize("fields", [{"torch_dtype": None}, {"quantization_config": {"quant_method": "awq"}}])
def test_a_format_without_a_row_is_an_assumption(tmp_path: Path, fields: dict[str, Any]) -> None:
    model = read_model(_written(tmp_path, DENSE | fields), CATALOG)
    assert model.stored_format == "bf16"
    assert "counted as BF16" in model.assumptions[0]


def test_a_scale_for_each_block_may_need_a_conversion(tmp_path: Path) -> None:
    fields = {"quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}}
    model = read_model(_written(tmp_path, DENSE | fields), CATALOG)
    assert model.stored_format == "fp8"
    assert "--dtype bf16" in model.assumptions[0]


def test_the_size_of_the_checkpoint_is_that_of_its_index(tmp_path: Path) -> None:
    (tmp_path / INDEX).write_text(json.dumps({"metadata": {"total_size": 16_060_522_496}, "weight_map": {}}))
    assert read_model(_written(tmp_path, DENSE), CATALOG).stored_bytes == 16_060_522_496


ODD = [
    None,
    -1,
    0,
    1,
    3,
    7,
    1.5,
    float("nan"),
    float("inf"),
    "x",
    True,
    False,
    [],
    {},
    [1, {}],
    [None] * 3,
    10**9,
    10**30,
]


def _mutated(random: Random) -> dict[str, Any]:
    """A model with some values that no model has."""
    whole: dict[str, Any] = json.loads(random.choice(sorted(MODELS.glob("*.json"))).read_text())
    for _ in range(random.randint(1, 3)):
        parts = [whole, *(part for part in whole.values() if isinstance(part, dict) and part)]
        part = random.choice(parts)
        part[random.choice(sorted(part))] = random.choice(ODD)
    return whole


@pytest.mark.parametrize("seed", range(3))
def test_any_other_file_is_sized_or_rejected(tmp_path: Path, seed: int) -> None:
    random, sized = Random(seed), 0  # noqa: S311 - cases, no secrets
    for _ in range(100):
        file = _written(tmp_path, _mutated(random))
        try:
            model = read_model(file, CATALOG)
        except ToolkitError:
            continue
        recommended(model, "serve", 8192, batch=1, instance_types=("trn2.3xlarge", "inf2.24xlarge"))
        sized += 1
    assert 0 < sized < 100


def test_a_model_type_belongs_to_one_family() -> None:
    types = [each for row in CATALOG.model_families for each in row.model_types]
    assert len(types) == len(set(types)) > 30


@pytest.mark.parametrize(
    ("config", "parameters"),
    [
        (
            {
                "model_type": "gpt2",
                "vocab_size": 50257,
                "n_embd": 768,
                "n_layer": 12,
                "n_head": 12,
                "n_positions": 1024,
            },
            124_439_808,
        ),
        (
            {
                "model_type": "gpt_neox",
                "vocab_size": 50432,
                "hidden_size": 6144,
                "num_hidden_layers": 44,
                "num_attention_heads": 64,
                "intermediate_size": 24576,
            },
            20_554_567_680,
        ),
    ],
)
def test_older_families_have_biases_and_positions(tmp_path: Path, config: dict[str, Any], parameters: int) -> None:
    assert read_model(_written(tmp_path, config), CATALOG).parameters == parameters
