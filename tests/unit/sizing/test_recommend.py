"""Memory of a core, what limits a division, rank and near misses."""

from __future__ import annotations

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.sizing.known_model import sizes_of_count
from neuron_cluster.sizing.recommend import Choice

from .models import choices_on, fixture_model, recommended

CATALOG = load_catalog()

GIB = 2**30


def _terms(choice: Choice) -> dict[str, float]:
    return {term.name: term.size for term in choice.fit.terms}


def test_a_training_divides_the_optimizer_over_all_copies() -> None:
    model = fixture_model("llama-3.1-8b")
    found = recommended(
        model, "train", 8192, instance_types=("trn1.32xlarge",), tensor=8, nodes=4, pipeline=1, context=1
    )
    (choice,) = found.choices
    terms = _terms(choice)
    assert choice.fit.layout.data == 16
    assert terms["weights"] == 2 * model.parameters / 8
    assert terms["gradients"] == 4 * model.parameters / 8
    assert terms["optimizer"] == 12 * model.parameters / (8 * 16)
    assert terms["activations"] == 34 * 8192 * 4096 / 8 * 32


def test_full_recompute_is_taken_where_the_activations_are_too_large_otherwise() -> None:
    model = fixture_model("llama-2-70b")
    found = recommended(model, "train", 4096, instance_types=("trn1.32xlarge",), tensor=8, pipeline=16, nodes=8)
    assert [(each.fit.recompute, each.fit.layout.data) for each in found.choices] == [("full", 2)]


def test_adapters_are_all_that_a_finetune_trains() -> None:
    found = recommended(
        fixture_model("llama-3.1-8b"), "finetune", 4096, rank=16, instance_types=("trn2.3xlarge",), tensor=4
    )
    terms = _terms(found.choices[0])
    assert set(terms) == {"weights", "adapters", "activations"}
    assert terms["adapters"] == 16 * 41_943_040 / 4


@pytest.mark.parametrize(("tensor", "heads"), [(4, 2), (8, 1), (16, 1)])
def test_keys_and_values_are_divided_up_to_one_head_of_a_core(tensor: int, heads: int) -> None:
    found = recommended(
        fixture_model("llama-3.1-8b"), "serve", 4096, batch=1, instance_types=("trn2.48xlarge",), tensor=tensor
    )
    assert _terms(found.choices[0])["KV cache"] == 2 * 32 * heads * 128 * 2 * 4096


def test_heads_that_no_core_count_divides_get_keys_of_their_own() -> None:
    found = recommended(
        fixture_model("llama-3-70b"), "serve", 2048, batch=1, instance_types=("inf2.24xlarge",), tensor=12
    )
    fits = [each.fit for each in found.choices] + [miss.fit for miss in found.misses]
    assert 2 * 80 * 128 * 2 * 2048 * 72 / 12 in {term.size for fit in fits for term in fit.terms}


def test_the_latent_cache_is_whole_on_each_core() -> None:
    found = recommended(fixture_model("deepseek-v3"), "serve", 512, batch=1, weight_format="bf16", tensor=64)
    (choice, *_) = choices_on(found, "trn2.48xlarge")
    assert _terms(choice)["KV cache"] == 70_272 * 512
    assert _terms(choice)["expert weights"] == pytest.approx(2 * fixture_model("deepseek-v3").expert_parameters / 64)


def test_experts_are_divided_by_expert_parallelism_in_a_training() -> None:
    model = fixture_model("qwen3-30b-a3b")
    options = {"instance_types": ("trn1.32xlarge",), "nodes": 4, "tensor": 4, "pipeline": 1, "context": 1}
    sizes = {}
    for expert in (8, 16):
        found = recommended(model, "train", 4096, **options, expert=expert)
        fit = (found.choices or found.misses)[0].fit
        sizes[expert] = {term.name: term.size for term in fit.terms}["weights"]
    assert sizes[8] - sizes[16] == pytest.approx(2 * model.expert_parameters / 4 * (1 / 8 - 1 / 16))


def test_known_prices_come_first_and_types_that_no_region_offers_last() -> None:
    best = recommended(fixture_model("llama-3.1-8b"), "serve", 4096, batch=1).best
    prices = [each.usd_hour for each in best if each.usd_hour is not None]
    assert prices == sorted(prices)
    assert [each.usd_hour is None for each in best] == sorted(each.usd_hour is None for each in best)
    assert [each.instance_type.launchable for each in best] == sorted(
        (each.instance_type.launchable for each in best), reverse=True
    )


def test_of_types_that_no_region_offers_one_of_each_kind_is_compared() -> None:
    model = fixture_model("llama-3.1-8b")
    all_types = recommended(model, "serve", 4096, batch=1)
    announced = {each.instance_type.name for each in all_types.choices if not each.instance_type.launchable}
    assert announced == {"trn3.48xlarge"}
    wanted = recommended(model, "serve", 4096, batch=1, instance_types=("trn3p.48xlarge",))
    assert {each.instance_type.name for each in wanted.choices} == {"trn3p.48xlarge"}


def test_a_training_is_ranked_by_the_price_of_all_its_instances() -> None:
    found = recommended(fixture_model("llama-3.1-70b"), "train", 8192, batch=1024, region="us-east-2")
    first = found.choices[0]
    assert first.usd_hour == pytest.approx(21.5 * first.count)
    assert all(each.usd_hour is None or each.usd_hour >= first.usd_hour for each in found.choices)


def test_a_near_miss_names_its_largest_term() -> None:
    found = recommended(fixture_model("gpt-oss-120b"), "serve", 768, batch=1, weight_format="bf16")
    (miss,) = [each for each in found.misses if each.instance_type.name == "trn2.48xlarge"]
    assert miss.fit.layout.tensor == 8
    assert "the largest term is expert weights, 26." in miss.reasons[0]


def test_a_host_that_cannot_load_the_weights_is_a_miss_unless_they_are_divided() -> None:
    model, options = fixture_model("llama-3.1-8b"), {"batch": 1, "instance_types": ("inf2.xlarge",), "tensor": 2}
    (miss,) = recommended(model, "serve", 2048, **options).misses
    assert "the host has 16 GiB, 13 of them for a pod, and loading takes 30 + 3 GiB" in miss.reasons[0]
    assert recommended(model, "serve", 2048, **options, has_divided_weights=True).choices


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"instance_types": ("inf2.48xlarge",)}, "is made for inference, not for training"),
        ({"instance_types": ("trn1.2xlarge",), "nodes": 2}, "several instances need EFA"),
        ({"instance_types": ("trn1.32xlarge",), "expert": 2}, "the model has no experts"),
        ({"instance_types": ("trn1.32xlarge",), "tensor": 64, "pipeline": 1, "nodes": 2}, "needs more than the 32"),
        (
            {"instance_types": ("trn1.32xlarge",), "batch": 3, "tensor": 8, "pipeline": 1},
            "do not divide the global batch of 3",
        ),
    ],
)
def test_what_cannot_run_is_a_miss_with_its_reason(options: dict[str, object], reason: str) -> None:
    found = recommended(fixture_model("llama-3.1-8b"), "train", 4096, **options)
    assert not found.choices
    assert any(reason in each for miss in found.misses for each in miss.reasons)


def test_a_training_that_64_instances_do_not_hold_is_tried_on_more() -> None:
    found = recommended(sizes_of_count(2e12, CATALOG), "train", 8192, instance_types=("trn1.32xlarge",))
    assert found.best[0].count == 128
    assert [(each.fit.layout.nodes, each.fit.percent > 85) for each in found.misses] == [(64, True)]


def test_served_copies_on_several_instances_cost_as_many() -> None:
    model = fixture_model("llama-3.1-8b")
    one, three = (
        recommended(model, "serve", 4096, batch=1, instance_types=("inf2.48xlarge",), nodes=nodes).choices[0]
        for nodes in (None, 3)
    )
    assert (one.usd_hour or 0) * 3 == pytest.approx(three.usd_hour)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"purchase_option": "capacity_block"}, "it is not sold as capacity_block (sold: on_demand and spot)"),
        ({"region": "us-gov-west-1"}, "us-gov-west-1 did not offer it"),
        ({"cache_format": "fp8"}, "AWS Inferentia2 has no KV cache in fp8"),
        ({"pipeline": 2}, "serving has no pipeline parallelism"),
        ({"expert": 2}, "the model has no experts"),
        ({"data": 25}, "needs more than the 24 logical cores"),
    ],
)
def test_what_a_type_cannot_do_is_a_miss_with_its_reason(options: dict[str, object], reason: str) -> None:
    model = fixture_model("llama-3.1-8b")
    found = recommended(model, "serve", 4096, batch=1, instance_types=("inf2.48xlarge",), **options)
    assert not found.choices
    assert any(reason in each for miss in found.misses for each in miss.reasons)


def test_a_tensor_parallel_size_that_an_instance_lacks_is_named_once() -> None:
    found = recommended(
        fixture_model("llama-3-8b"), "serve", 4096, tensor=8, instance_types=("inf2.xlarge",), has_divided_weights=True
    )
    (miss,) = found.misses
    assert miss.reasons == ("TP8 needs more than the 2 logical cores of an instance",)


def test_serving_has_no_pipeline_parallelism() -> None:
    found = recommended(fixture_model("llama-3.1-8b"), "serve", 4096, batch=1, pipeline=2)
    assert not found.choices
    assert all("no pipeline parallelism" in miss.reasons[0] for miss in found.misses)


@pytest.mark.parametrize(("tensor", "doubt"), [(8, None), (16, "one alone has TP16"), (4, "is not in AWS's list")])
def test_a_size_that_the_lists_of_aws_do_not_share_is_in_doubt(tensor: int, doubt: str | None) -> None:
    found = recommended(
        fixture_model("llama-3.1-8b"), "serve", 4096, batch=1, instance_types=("trn1.32xlarge",), tensor=tensor
    )
    doubts = " ".join(found.choices[0].doubts)
    assert doubt in doubts if doubt else doubts == ""


def test_a_format_that_the_devices_lack_becomes_bf16_or_a_miss() -> None:
    model = fixture_model("gpt-oss-20b")
    plain = recommended(model, "serve", 4096, batch=1, instance_types=("trn2.48xlarge",))
    assert plain.choices[0].fit.weight_format == "bf16"
    assert "converted to BF16" in " ".join(plain.choices[0].doubts)
    wanted = recommended(model, "serve", 4096, batch=1, instance_types=("trn2.48xlarge",), weight_format="mxfp4")
    assert not wanted.choices
    assert "does not compute with mxfp4" in wanted.misses[0].reasons[0]


def test_a_limit_of_cost_leaves_out_what_has_no_price() -> None:
    found = recommended(fixture_model("llama-3.1-8b"), "serve", 4096, batch=1, max_usd_hour=7.0)
    assert {each.instance_type.name for each in found.choices} <= {"inf2.8xlarge", "inf2.24xlarge"}
    reasons = {miss.instance_type.name: " ".join(miss.reasons) for miss in found.misses}
    assert "21.50 USD an hour is above --max-hourly 7" in reasons["trn1.32xlarge"]
    assert "its price is not known" in reasons["trn2.48xlarge"]


def test_a_count_of_parameters_assumes_the_layers_of_a_model_of_the_catalog() -> None:
    model = sizes_of_count(70e9, CATALOG)
    assert (model.parameters, model.layers) == (70_000_000_000, 80)
    assert "of llama-3-70b." in model.assumptions[0]


@pytest.mark.parametrize("parameters", [1.0, 1e15])
def test_any_count_of_parameters_has_an_answer(parameters: float) -> None:
    for task in ("train", "finetune", "serve", "embed"):
        found = recommended(sizes_of_count(parameters, CATALOG), task, 8192, batch=None)
        assert bool(found.choices) == (parameters == 1.0), task
