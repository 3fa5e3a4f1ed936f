"""Sizes of a model that the cores of a division do not divide: one calculation for charts, jobs and recommendations."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.model_division import ModelDivision
from neuron_cluster.sizing.model_sizes import ModelSizes


class Undivided(Struct, frozen=True):
    """A size, and the cores or groups of cores that do not divide it."""

    nouns: str
    """Such as ``64 attention heads``."""
    by: int
    doubt: str | None
    """Why the rule may not hold for the program; None where its source states it."""


def undivided_sizes(
    model: ModelSizes, rule: ModelDivision, *, tensor: int, expert: int = 1, of_experts: int | None = None
) -> Iterator[Undivided]:
    """Those of ``tensor`` cores; ``expert`` groups of them have whole experts, each divided over ``of_experts`` cores
    (None: the rest of ``tensor``). A size of 0 is not known, and not judged."""
    yield from _heads(model, rule, tensor)
    doubt = rule.doubt_about("intermediate")
    widths = dict.fromkeys((size, tensor) for size in model.intermediates)
    of_experts = max(1, tensor // expert) if of_experts is None else of_experts
    if model.expert_intermediate:
        widths[model.expert_intermediate, of_experts] = None
    for size, cores in widths:
        if rule.intermediate == "divided" and size % cores:
            yield Undivided(f"intermediate size of {size:,}", cores, doubt)
    if rule.vocabulary_multiple and model.vocabulary:
        padded = -(-model.vocabulary // rule.vocabulary_multiple) * rule.vocabulary_multiple
        if padded % tensor:
            shown = f" ({padded:,} with padding)" if padded != model.vocabulary else ""
            nouns = f"vocabulary of {model.vocabulary:,}{shown}"
            yield Undivided(nouns, tensor, rule.doubt_about("vocabulary_multiple"))
    if expert > 1 and model.experts % expert:
        yield Undivided(f"{model.experts} experts", expert, None)


def _heads(model: ModelSizes, rule: ModelDivision, tensor: int) -> Iterator[Undivided]:
    keys = model.key_value_heads
    if rule.heads == "divided" and model.heads % tensor:
        yield Undivided(f"{model.heads} attention heads", tensor, rule.doubt_about("heads"))
    if rule.key_value_heads == "repeated" and model.latent_size is None and keys % tensor and tensor % keys:
        yield Undivided(f"{keys} heads of keys and values", tensor, rule.doubt_about("key_value_heads"))


def dividing_sizes(model: ModelSizes, rule: ModelDivision, cores: int) -> list[int]:
    """Tensor parallel sizes up to ``cores`` that divide every size of the model."""
    return [size for size in range(1, cores + 1) if not any(undivided_sizes(model, rule, tensor=size))]
