"""Parameters, active parameters and cached bytes: those that the models are published with."""

from __future__ import annotations

import pytest

from .models import fixture_model

TOTALS = {
    "llama-3.2-1b": 1_235_814_400,
    "llama-2-7b": 6_738_415_616,
    "llama-3.1-8b": 8_030_261_248,
    "llama-2-13b": 13_015_864_320,
    "llama-3.1-70b": 70_553_706_496,
    "llama-3.1-405b": 405_853_388_800,
    "mistral-7b": 7_241_732_096,
    "qwen2.5-7b": 7_615_616_512,
    "qwen3-8b": 8_190_735_360,
    "qwen3-32b": 32_762_123_264,
    "mixtral-8x7b": 46_702_792_704,
    "qwen3-30b-a3b": 30_532_122_624,
    "qwen3-235b-a22b": 235_093_634_560,
    "gpt-oss-20b": 20_914_757_184,
    "gpt-oss-120b": 116_829_156_672,
    "gemma-2b": 2_506_172_416,
    "starcoder2-3b": 3_030_371_328,
    "gpt-neox-20b": 20_554_567_680,
    "dbrx": 131_596_523_520,
    "deepseek-v3": 671_026_419_200,
}
ROUNDED = {
    "llama-4-scout": 109,
    "llama-4-maverick": 402,
    "llama-3.2-11b-vision": 11,
    "llama-3.2-90b-vision": 88,
    "afm-4.5b": 5,
    "command-r7b": 8,
    "mistral-small-24b": 24,
    "qwen3-vl-32b": 33,
    "trinity-nano": 6,
    "trinity-mini": 26,
    "trinity-large": 399,
    "minimax-m3": 426,
}
ACTIVE = {"mixtral-8x7b": 12.88, "qwen3-30b-a3b": 3.35, "qwen3-235b-a22b": 22.19, "deepseek-v3": 37.55}
CACHED = {
    "llama-3.1-8b": 131_072,
    "llama-3.1-70b": 327_680,
    "llama-3.1-405b": 516_096,
    "qwen3-235b-a22b": 192_512,
    "deepseek-v3": 70_272,
}


@pytest.mark.parametrize(("name", "parameters"), TOTALS.items())
def test_the_parameters_are_those_of_the_published_model(name: str, parameters: int) -> None:
    assert fixture_model(name).parameters == parameters


@pytest.mark.parametrize(("name", "billions"), ROUNDED.items())
def test_models_with_a_vision_tower_or_shared_experts_have_their_published_size(name: str, billions: int) -> None:
    assert round(fixture_model(name).parameters / 1e9) == billions


@pytest.mark.parametrize(("name", "billions"), ACTIVE.items())
def test_the_active_parameters_leave_out_the_experts_that_a_token_does_not_use(name: str, billions: float) -> None:
    assert round(fixture_model(name).active_parameters / 1e9, 2) == billions


@pytest.mark.parametrize(("name", "size"), CACHED.items())
def test_a_token_caches_keys_and_values_of_each_layer_or_their_latent(name: str, size: int) -> None:
    model = fixture_model(name)
    assert 2 * model.layers * model.cached_numbers == size


def test_layers_with_a_window_cache_its_tokens_alone() -> None:
    model = fixture_model("gpt-oss-120b")
    assert (model.window, model.window_layers) == (128, 18)
    assert model.cached_tokens(8192) == 18 * 8192 + 18 * 128
    assert model.cached_tokens(100) == 36 * 100
