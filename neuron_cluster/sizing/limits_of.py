"""Limits that prevent a division of a model, and doubts about it."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.model_division import ModelDivision
from neuron_cluster.findings.text import listed
from neuron_cluster.sizing.divisions import undivided_sizes
from neuron_cluster.sizing.heads import heads_on
from neuron_cluster.sizing.layout import Layout, Machine
from neuron_cluster.sizing.model_sizes import ModelSizes
from neuron_cluster.sizing.request import SizingRequest, Task
from neuron_cluster.sizing.serving_software import rules_of_servers

TRAINING = "training"
"""The row of divisions of models that are trained."""


def limits_of(
    model: ModelSizes, request: SizingRequest, machine: Machine, layout: Layout, catalog: Catalog
) -> Iterator[str]:
    """Reasons for which the division cannot be used; nothing where it can."""
    if layout.tensor > machine.cores:
        yield f"TP{layout.tensor} needs more than the {machine.cores} logical cores of an instance"
    if request.task.is_training:
        yield from _of_training(model, request, machine, layout, catalog)
    else:
        yield from _of_serving(model, machine, layout)


def _of_serving(model: ModelSizes, machine: Machine, layout: Layout) -> Iterator[str]:
    if layout.pipeline > 1:
        yield "serving has no pipeline parallelism (vLLM Neuron)"
    if layout.tensor <= machine.cores < layout.tensor * layout.data:
        yield f"TP{layout.tensor} x DP{layout.data} needs more than the {machine.cores} logical cores of an instance"
    if layout.tensor % layout.attention_data or layout.tensor % layout.context:
        yield f"attention data parallelism and CP must divide TP{layout.tensor}"
    if model.heads % max(1, layout.attention_data) and layout.attention_data > 1:
        yield f"{layout.attention_data} groups of cores do not divide {model.heads} heads"
    yield from _of_experts(model, layout, layout.tensor * layout.data)


def _of_experts(model: ModelSizes, layout: Layout, cores: int) -> Iterator[str]:
    if layout.expert > 1 and not model.experts:
        yield "the model has no experts"
    elif model.experts % layout.expert or cores % layout.expert:
        yield f"EP{layout.expert} does not divide {model.experts} experts and {cores} cores"


def _of_training(
    model: ModelSizes, request: SizingRequest, machine: Machine, layout: Layout, catalog: Catalog
) -> Iterator[str]:
    if not machine.chip.trains:
        yield f"{machine.chip.title} is made for inference, not for training"
    if layout.nodes > 1 and not machine.has_efa:
        yield "several instances need EFA, which the type does not have"
    yield from _of_experts(model, layout, layout.data)
    for each in undivided_sizes(model, catalog.model_divisions[TRAINING], tensor=layout.tensor):
        if each.doubt is None:
            yield f"TP{each.by} does not divide the {each.nouns}"
    if request.length % (layout.tensor * layout.context):
        yield f"TP{layout.tensor} x CP{layout.context} does not divide the {request.length:,} tokens of a sequence"
    step = layout.data * request.micro_batch
    if request.task is Task.TRAIN and request.batch and request.batch % step:
        yield (
            f"DP{layout.data} x {request.micro_batch} sequences of a micro-batch do not divide the global batch of "
            f"{request.batch:,}"
        )


def doubts_of(
    model: ModelSizes, request: SizingRequest, machine: Machine, layout: Layout, catalog: Catalog
) -> Iterator[str]:
    """Why the division may not run although it fits."""
    yield from _about_tensor(machine, layout)
    yield from _about_sizes(model, request, machine, layout, catalog)
    heads = heads_on(model, max(1, layout.tensor // layout.attention_data))
    if heads.is_padded:
        yield f"{model.heads} query heads are padded to {heads.queries}"
    if heads.is_converted and model.latent_size is None:
        yield f"{model.key_value_heads} heads of keys and values become {heads.keys}: one for each query head"
    if not machine.is_default_config:
        yield f"logical NeuronCore configuration {machine.logical_nc_config}: two cores share one bank of device memory"
    if not request.task.is_training and request.length % layout.tensor:
        yield f"TP{layout.tensor} does not divide the {request.length:,} tokens: a longer bucket is compiled"
    if model.index_heads:
        yield "the indexer's scores are counted as one published model code keeps them: twice, and whole on each core"
    if layout.context > 1:
        yield f"CP{layout.context} needs ring attention"
    if request.task.is_training and model.layers % layout.pipeline:
        most = -(-model.layers // layout.pipeline)
        yield f"{model.layers} layers are not divided evenly over PP{layout.pipeline}: {most} on the largest stage"


def _about_sizes(
    model: ModelSizes, request: SizingRequest, machine: Machine, layout: Layout, catalog: Catalog
) -> Iterator[str]:
    """Sizes that a program may not divide: doubtful rules of a training, and each engine of a server."""
    if request.task.is_training:
        rules: tuple[ModelDivision, ...] = (catalog.model_divisions[TRAINING],)
    else:
        rules = rules_of_servers(machine.chip.name, catalog) if request.task.caches else ()
    for rule in rules:
        for each in undivided_sizes(model, rule, tensor=layout.tensor, expert=_experts_apart(request, layout)):
            if not request.task.is_training or each.doubt is not None:
                may = "may not" if each.doubt is not None else "does not"
                yield f"{rule.title} {may} run: TP{each.by} does not divide the {each.nouns}"


def _experts_apart(request: SizingRequest, layout: Layout) -> int:
    """Groups of the cores of tensor parallelism with experts of their own: a training has them on other copies."""
    return 1 if request.task.is_training else layout.expert


def _about_tensor(machine: Machine, layout: Layout) -> Iterator[str]:
    chip, size = machine.chip, layout.tensor
    lists = [each for each in (chip.tensor_parallel_sizes, chip.older_tensor_parallel_sizes) if each]
    if not lists:
        yield f"AWS has no list of tensor parallel sizes for {chip.title}"
    elif not any(size in each for each in lists):
        yield f"TP{size} is not in AWS's list for {chip.title} ({listed(chip.tensor_parallel_sizes)})"
    elif not all(size in each for each in lists):
        yield f"of two lists of AWS for {chip.title} one alone has TP{size}"
