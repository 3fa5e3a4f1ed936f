"""A file of each family has the parameters of the class that huggingface/transformers builds from it.

Numbers: transformers 5.24.0 with torch 2.13.0, 2026-11-28: the model from the file on the meta device, each tied matrix
once. They round to the sizes with which the models are published.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.model_family import USUAL
from neuron_cluster.cli.main import main
from neuron_cluster.errors import ToolkitError
from neuron_cluster.sizing.read_config import read_model

from .models import MODELS, fixture_model
from .test_count_parameters import ROUNDED, TOTALS

CATALOG = load_catalog()

COUNTED = {
    "all-minilm-l6-v2": 22_713_216,
    "apertus-8b": 8_053_338_176,
    "bert-base-uncased": 109_482_240,
    "bert-large-uncased": 335_141_888,
    "bge-m3": 567_754_752,
    "command-r": 34_980_831_232,
    "command-r-plus": 103_810_674_688,
    "deepseek-v2-lite": 15_706_484_224,
    "distilbert-base-uncased": 66_362_880,
    "ernie-4.5-0.3b": 360_748_032,
    "ernie-4.5-21b-a3b": 21_825_437_888,
    "exaone-4-1.2b": 1_279_391_488,
    "exaone-4-32b": 32_003_216_384,
    "falcon-7b": 6_921_720_704,
    "gemma-2-9b": 9_241_705_984,
    "gemma-3-1b": 999_885_952,
    "gemma-7b": 8_537_680_896,
    "glm-4-32b-0414": 32_566_081_536,
    "glm-4-9b-0414": 9_400_279_040,
    "glm-4-9b-chat-hf": 9_399_951_360,
    "gpt-j-6b": 6_050_882_784,
    "gpt2": 124_439_808,
    "granite-3.1-3b-a800m": 3_298_793_472,
    "granite-3.3-8b": 8_170_864_640,
    "hunyuan-7b": 7_504_568_320,
    "mistral-7b-v0.3": 7_248_023_552,
    "mistral-nemo-12b": 12_247_782_400,
    "modernbert-large": 394_781_696,
    "mpt-7b": 6_649_286_656,
    "nemotron-4-minitron-8b": 8_271_699_968,
    "olmo-1b": 1_176_764_416,
    "olmo-2-7b": 7_298_617_344,
    "olmo-3-7b": 7_298_011_136,
    "olmoe-1b-7b": 6_919_161_856,
    "opt-6.7b": 6_658_473_984,
    "phi-2": 2_779_683_840,
    "phi-3-mini": 3_821_079_552,
    "phi-3.5-moe": 41_873_153_344,
    "phi-4": 14_659_507_200,
    "phi-4-mini": 3_836_021_760,
    "pythia-6.9b": 6_857_302_016,
    "qwen1.5-moe-a2.7b": 14_315_784_192,
    "qwen2.5-0.5b": 494_032_768,
    "qwen3-0.6b": 596_049_920,
    "roberta-base": 124_645_632,
    "seed-oss-36b": 36_151_104_512,
    "smollm3-3b": 3_075_098_624,
    "stablelm-2-1.6b": 1_644_515_328,
    "stablelm-2-12b": 12_143_185_920,
    "starcoder": 15_517_456_384,
    "yi-34b": 34_388_917_248,
}
WITH_BUFFERS = {
    "deepseek-v3.2": (671_877_929_216, 58 * 256),
    "dots.llm1": (142_774_373_888, 61 * 128),
    "glm-4.5-air": (106_852_245_504, 45 * 128),
    "glm-4.6": (352_797_814_784, 89 * 160),
    "glm-5.2-fp8": (743_911_199_232, 75 * 256),
    "kimi-k2": (1_026_408_209_408, 60 * 384),
    "minimax-m2": (228_689_748_992, 62 * 256),
}
"""Parameters, and biases of routers: buffers of the class, which the weights of a checkpoint have too."""

CLOSE = {
    "all-mpnet-base-v2": 109_486_464,
    "falcon-40b": 41_303_293_952,  # Its layers have two norms.
    "gemma-3-27b": 27_432_406_640,
    "gemma-3-4b": 4_300_079_472,
    "llava-1.5-7b": 7_063_427_072,
    "ministral-3-8b": 8_918_026_240,
    "pixtral-large": 125_277_537_920,  # Its model card has 124 billion, of which the vision tower is one.
    "qwen2-vl-7b": 8_291_375_616,
    "qwen2.5-vl-7b": 8_292_166_656,
    "qwen2.5-vl-32b": 33_452_718_336,
    "qwen3-vl-32b": 33_357_390_064,
    "qwen3-vl-8b": 8_767_123_696,
}
"""Counts that are close; only the large matrices of a vision tower are counted."""

UNCOUNTED = {
    "minicpm": "the code beside its weights was not read",
}
"""Families without a published number that a test compares."""


@pytest.mark.parametrize(("name", "parameters"), COUNTED.items())
def test_the_parameters_are_those_of_the_class(name: str, parameters: int) -> None:
    assert fixture_model(name).parameters == parameters


@pytest.mark.parametrize("name", WITH_BUFFERS)
def test_the_biases_of_routers_are_counted_too(name: str) -> None:
    assert fixture_model(name).parameters == sum(WITH_BUFFERS[name])


@pytest.mark.parametrize("name", CLOSE)
def test_where_the_count_differs_it_rounds_to_the_same_size(name: str) -> None:
    assert fixture_model(name).parameters == pytest.approx(CLOSE[name], rel=0.005)


def test_each_family_has_a_model_with_a_published_number() -> None:
    counted = {fixture_model(name).family for name in (*COUNTED, *WITH_BUFFERS, *CLOSE, *TOTALS, *ROUNDED)}
    assert set(CATALOG.model_families.names) - counted == {USUAL, *UNCOUNTED}


WINDOWS = {
    "command-r7b": (4096, 24),
    "exaone-4-1.2b": (None, 0),
    "exaone-4-32b": (4096, 48),
    "gemma-2-9b": (4096, 21),
    "gemma-3-1b": (512, 22),
    "gemma-3-27b": (1024, 52),
    "gemma-3-4b": (1024, 29),
    "olmo-3-7b": (4096, 24),
    "phi-4": (None, 0),
}
"""Tokens, and layers with them: of a list of layers, of a period in the file, or of the period of the family."""


@pytest.mark.parametrize(("name", "window"), WINDOWS.items())
def test_the_layers_with_a_window_are_those_of_the_class(name: str, window: tuple[int | None, int]) -> None:
    model = fixture_model(name)
    assert (model.window, model.window_layers) == window


def test_a_text_config_omits_the_defaults_of_its_class(tmp_path: Path) -> None:
    nested: dict[str, Any] = json.loads((MODELS / "gemma-3-4b.json").read_text())
    assert not {"vocab_size", "num_attention_heads", "head_dim"} & nested["text_config"].keys()
    model = fixture_model("gemma-3-4b")
    assert (model.vocabulary, model.heads, model.key_value_heads, model.head_size) == (262_208, 8, 4, 256)
    file = tmp_path / "config.json"
    file.write_text(json.dumps(nested["text_config"]))
    with pytest.raises(ToolkitError, match="has no num_attention_heads, which"):
        read_model(file, CATALOG)


def test_an_encoder_is_served_with_embed_alone(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["recommend", "--model", str(MODELS / "bge-m3.json")]
    assert main(command) == 1
    shown = capsys.readouterr().err
    assert "bge-m3 is an encoder (bert)" in shown
    assert "--task embed" in shown
    assert main([*command, "--task", "embed", "--batch", "8"]) == 0
    assert "KV cache" not in capsys.readouterr().out
