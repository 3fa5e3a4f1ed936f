"""Sizes of a model that the cores of a division do not divide: one calculation for charts, jobs and recommendations."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from neuron_cluster.catalog.model_division import ModelDivision
from neuron_cluster.sizing.model_sizes import ModelSizes

ExpertGroups = Callable[[int], int]
"""Groups of cores with experts of their own, by the cores of tensor parallelism."""


def one_group(_: int) -> int:
    """Every core has a part of each expert."""
    return 1


class Undivided(Struct, frozen=True):
    """A size, and the cores or groups of cores that do not divide it."""

    nouns: str
    """Such as ``64 attention heads``."""
    by: int
    doubt: str | None
    """Why the rule may not hold for the program; None where its source states it."""
    unit: str = "cores"


def undivided_sizes(model: ModelSizes, rule: ModelDivision, *, tensor: int, expert: int = 1) -> Iterator[Undivided]:
    """Yields the sizes that ``tensor`` cores do not divide; ``expert`` groups of them have whole experts, each divided
    over the cores of a group. A size of 0 is not known, and not checked."""
    rule = rule.of_family(model.family)
    yield from _heads(model, rule, tensor)
    if rule.hidden == "divided" and model.hidden % tensor:
        yield Undivided(f"hidden size of {model.hidden:,}", tensor, rule.doubt_about("hidden"))
    yield from _intermediate_sizes(model, rule, tensor, max(1, tensor // expert))
    if rule.vocabulary_multiple and model.vocabulary:
        padded = -(-model.vocabulary // rule.vocabulary_multiple) * rule.vocabulary_multiple
        if padded % tensor:
            shown = f" ({padded:,} with padding)" if padded != model.vocabulary else ""
            nouns = f"vocabulary of {model.vocabulary:,}{shown}"
            yield Undivided(nouns, tensor, rule.doubt_about("vocabulary_multiple"))
    if expert > 1 and model.experts % expert:
        yield Undivided(f"{model.experts} experts", expert, None, "groups of cores")


def unread_sizes(model: ModelSizes, rule: ModelDivision) -> Iterator[str]:
    """Names of sizes that the program divides, and that the file has under no known name."""
    if not model.intermediates and not model.expert_intermediate:
        size = "expert_intermediate" if model.experts else "intermediate"
        kind = rule.expert_intermediate if model.experts else rule.intermediate
        yield from (size,) if kind == "divided" else ()
    if rule.of_family(model.family).vocabulary_multiple and not model.vocabulary:
        yield "vocabulary"


def _heads(model: ModelSizes, rule: ModelDivision, tensor: int) -> Iterator[Undivided]:
    keys = model.key_value_heads
    if rule.heads == "divided" and model.heads % tensor:
        yield Undivided(f"{model.heads} attention heads", tensor, rule.doubt_about("heads"))
    if rule.key_value_heads == "repeated" and model.latent_size is None and keys % tensor and tensor % keys:
        yield Undivided(f"{keys} heads of keys and values", tensor, rule.doubt_about("key_value_heads"))


def _intermediate_sizes(model: ModelSizes, rule: ModelDivision, tensor: int, of_experts: int) -> Iterator[Undivided]:
    found: dict[tuple[int, int], str | None] = {}
    if rule.intermediate == "divided":
        found = {(size, tensor): rule.doubt_about("intermediate") for size in model.intermediates}
    if rule.expert_intermediate == "divided" and model.expert_intermediate:
        found.setdefault((model.expert_intermediate, of_experts), rule.doubt_about("expert_intermediate"))
    for (size, cores), doubt in found.items():
        if size % cores:
            yield Undivided(f"intermediate size of {size:,}", cores, doubt)


def dividing_sizes(
    model: ModelSizes, rule: ModelDivision, cores: int, expert_groups: ExpertGroups = one_group
) -> list[int]:
    """Tensor parallel sizes up to ``cores`` that divide every size of the model."""
    return [
        size
        for size in range(1, cores + 1)
        if not any(undivided_sizes(model, rule, tensor=size, expert=expert_groups(size)))
    ]
