"""Every size that cores share is divided as each program divides it, in charts, jobs and recommendations alike."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.sizing.divisions import dividing_sizes, undivided_sizes
from neuron_cluster.sizing.model_sizes import ModelSizes
from neuron_cluster.sizing.serving_software import last_release_of_servers

from .models import fixture_model, recommended

CATALOG = load_catalog()

MODEL = fixture_model("llama-3.1-8b")
MIXTURE = fixture_model("qwen3-30b-a3b")
MIXTRAL = fixture_model("mixtral-8x7b")
LATENT = fixture_model("deepseek-v3")


@pytest.mark.parametrize(
    ("model", "program", "sizes", "expected"),
    [
        (MODEL, "vllm", {"tensor": 8}, []),
        (MODEL, "vllm", {"tensor": 64}, ["32 attention heads"]),
        (MODEL, "vllm", {"tensor": 12}, ["32 attention heads", "8 heads of keys and values", "14,336"]),
        (replace(MODEL, key_value_heads=16), "vllm", {"tensor": 24}, ["32 attention", "16 heads of k", "14,336"]),
        (replace(MODEL, intermediates=(11_009,)), "vllm", {"tensor": 8}, ["intermediate size of 11,009"]),
        (replace(MODEL, intermediates=(11_008, 1_411)), "training", {"tensor": 8}, ["intermediate size of 1,411"]),
        (replace(MODEL, vocabulary=32_001), "vllm", {"tensor": 8}, []),
        (replace(MODEL, vocabulary=32_001), "vllm", {"tensor": 128}, ["32 att", "32,001 (32,064 with padding)"]),
        (replace(MODEL, vocabulary=32_001), "training", {"tensor": 8}, ["vocabulary of 32,001"]),
        (replace(MODEL, intermediates=(11_009,), vocabulary=32_001), "vllm_nxd", {"tensor": 12}, []),
        (MIXTURE, "vllm", {"tensor": 16, "expert": 16}, []),
        (replace(MIXTURE, experts=60), "vllm", {"tensor": 16, "expert": 16}, ["60 experts"]),
        (replace(MIXTURE, expert_intermediate=770), "vllm", {"tensor": 16}, ["intermediate size of 770"]),
        (replace(MIXTURE, expert_intermediate=770), "vllm", {"tensor": 16, "expert": 16}, []),
        (replace(MIXTURE, experts=60), "vllm_nxd", {"tensor": 16, "expert": 16}, ["60 experts"]),
        (replace(MIXTURE, expert_intermediate=770), "vllm_nxd", {"tensor": 16}, ["intermediate size of 770"]),
        (MIXTRAL, "vllm_nxd", {"tensor": 24}, ["hidden size of 4,096", "intermediate size of 14,336", "of 32,000"]),
        (replace(MIXTRAL, vocabulary=32_001), "vllm_nxd", {"tensor": 8}, ["vocabulary of 32,001"]),
        (replace(MIXTRAL, hidden=4_100), "vllm", {"tensor": 8}, []),
        (replace(MODEL, hidden=4_100), "vllm_nxd", {"tensor": 8}, []),
        (replace(MODEL, hidden=4_100), "training", {"tensor": 8}, []),
        (replace(LATENT, heads=100), "vllm_nxd", {"tensor": 8}, ["100 attention heads"]),
    ],
)
def test_sizes_that_cores_do_not_divide(
    model: ModelSizes, program: str, sizes: dict[str, int], expected: list[str]
) -> None:
    found = [each.nouns for each in undivided_sizes(model, CATALOG.model_divisions[program], **sizes)]
    assert len(found) == len(expected), found
    assert all(text in nouns for text, nouns in zip(expected, found, strict=True)), found


@pytest.mark.parametrize("program", ["vllm", "vllm_nxd", "training"])
@pytest.mark.parametrize("name", ["mixtral-8x7b", "qwen3-30b-a3b", "deepseek-v3", "gpt-oss-120b", "llama-3.1-8b"])
def test_published_models_are_divided_by_8_cores(name: str, program: str) -> None:
    assert list(undivided_sizes(fixture_model(name), CATALOG.model_divisions[program], tensor=8)) == []


def test_sizes_with_groups_of_experts_are_offered_where_the_groups_divide_them() -> None:
    rule = CATALOG.model_divisions["vllm"]
    assert dividing_sizes(replace(MIXTURE, experts=60), rule, 8, lambda tensor: tensor) == [1, 2, 4]
    assert dividing_sizes(replace(MIXTURE, experts=60), rule, 8, lambda _: 7) == []


def test_a_size_that_the_file_does_not_have_is_not_judged() -> None:
    model = replace(MODEL, intermediates=(), vocabulary=0)
    assert list(undivided_sizes(model, CATALOG.model_divisions["training"], tensor=32)) == []


def test_sizes_that_divide_everything_are_offered() -> None:
    assert dividing_sizes(replace(MODEL, intermediates=(11_010,)), CATALOG.model_divisions["vllm"], 64) == [1, 2]


def test_a_recommendation_for_vllm_doubts_what_its_charts_refuse() -> None:
    (choice, *_) = recommended(MODEL, "serve", 4096, batch=1, instance_types=("trn2.48xlarge",), tensor=64).choices
    assert any("TP64 does not divide the 32 attention heads" in each for each in choice.doubts)


def test_a_training_on_cores_that_do_not_divide_the_width_is_in_doubt() -> None:
    model = replace(MODEL, intermediates=(14_340,))
    choices = recommended(model, "train", 4096, instance_types=("trn1.32xlarge",), tensor=8, nodes=4).choices
    assert choices
    assert all(any("intermediate size of 14,340" in doubt for doubt in each.doubts) for each in choices)


def test_chips_without_a_newer_vllm_have_a_last_release() -> None:
    last = last_release_of_servers("inferentia2", CATALOG)
    assert last is not None
    assert (last.framework, last.sdk) == ("vllm_nxd", "2.31.1")
    assert last_release_of_servers("trainium2", CATALOG) is None
