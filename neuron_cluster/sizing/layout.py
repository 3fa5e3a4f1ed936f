"""How a model is divided over the cores of instances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from neuron_cluster.catalog.chip import Chip
from neuron_cluster.sizing.model_sizes import ModelSizes
from neuron_cluster.sizing.request import SizingRequest

SHORTEST_PART = 4096
"""Tokens of a sequence that a core of context parallelism gets at least, unless the user sets the size."""


class Machine(Struct, frozen=True, kw_only=True):
    """The properties of instance types with the same devices. ``core_bytes``: device memory of a logical core."""

    chip: Chip
    logical_nc_config: int
    is_default_config: bool
    cores: int
    core_bytes: int
    has_efa: bool


class Layout(Struct, frozen=True, kw_only=True):
    """``data`` counts copies of the model. ``attention_data``: groups of cores of one copy that share its sequences,
    each with all of the attention. ``expert`` above ``tensor``: several copies share one set of experts; only where
    the user sets it.
    """

    nodes: int = 1
    tensor: int
    pipeline: int = 1
    context: int = 1
    expert: int = 1
    data: int = 1
    attention_data: int = 1

    @property
    def stages(self) -> int:
        """Cores that share the weights of one copy."""
        return self.tensor * self.pipeline

    @property
    def expert_cores(self) -> int:
        """Cores of serving that share one set of experts."""
        return max(self.tensor, self.expert)

    def __str__(self) -> str:
        names = zip(("TP", "PP", "CP", "EP", "DP"), self.sizes, strict=True)
        return " ".join(f"{name}{size}" for name, size in names if size > 1 or name == "TP")

    @property
    def sizes(self) -> tuple[int, int, int, int, int]:
        return self.tensor, self.pipeline, self.context, self.expert, self.data


def layouts_of(model: ModelSizes, request: SizingRequest, machine: Machine) -> Iterator[Layout]:
    """All that use the cores of the instances; what prevents one of them is found by ``limits_of``."""
    if request.task.is_training:
        yield from _for_training(model, request, machine)
    else:
        yield from _for_serving(model, request, machine)


def tensor_sizes(machine: Machine, request: SizingRequest) -> tuple[int, ...]:
    """Returns sizes of the lists of AWS, which are for the default configuration of cores, and powers of two, which
    are in doubt: for serving up to the largest of the list, for training where no list applies."""
    if request.fixed.tensor is not None:
        return (request.fixed.tensor,)
    chip = machine.chip
    listed = {*chip.tensor_parallel_sizes, *chip.older_tensor_parallel_sizes}
    if not request.task.is_training:
        sizes = {*listed, *powers_of_two(max(listed, default=machine.cores))}
    elif listed and machine.is_default_config:
        sizes = listed
    else:
        sizes = {*listed, *powers_of_two(machine.cores)}
    return tuple(sorted(size for size in sizes if size <= machine.cores))


def powers_of_two(most: int) -> Iterator[int]:
    """From 1 to ``most``."""
    size = 1
    while size <= most:
        yield size
        size *= 2


def _for_serving(model: ModelSizes, request: SizingRequest, machine: Machine) -> Iterator[Layout]:
    fixed = request.fixed
    for tensor in tensor_sizes(machine, request):
        data = fixed.data or max(1, machine.cores // tensor)
        for expert in _expert_sizes(model, request, powers_of_two(tensor)):
            yield Layout(
                nodes=fixed.nodes or 1,
                tensor=tensor,
                pipeline=fixed.pipeline or 1,
                context=fixed.context or 1,
                expert=expert,
                data=data,
                attention_data=fixed.attention_data or 1,
            )


def _expert_sizes(model: ModelSizes, request: SizingRequest, sizes: Iterable[int]) -> Iterator[int]:
    if request.fixed.expert is not None:
        yield request.fixed.expert
    elif not model.experts:
        yield 1
    else:
        yield from (size for size in sizes if model.experts % size == 0)


def _for_training(model: ModelSizes, request: SizingRequest, machine: Machine) -> Iterator[Layout]:
    fixed = request.fixed
    counts = tuple(powers_of_two(request.most_nodes)) if machine.has_efa else (1,)
    for nodes in (fixed.nodes,) if fixed.nodes else counts:
        world = nodes * machine.cores
        for tensor in tensor_sizes(machine, request):
            for pipeline in (fixed.pipeline,) if fixed.pipeline else powers_of_two(min(model.layers, world // tensor)):
                yield from _copies(model, request, Layout(nodes=nodes, tensor=tensor, pipeline=pipeline), world)


def _copies(model: ModelSizes, request: SizingRequest, layout: Layout, world: int) -> Iterator[Layout]:
    """With each context and expert size, and the copies that fill the cores."""
    fixed = request.fixed
    contexts = (fixed.context,) if fixed.context else powers_of_two(max(1, request.length // SHORTEST_PART))
    for context in contexts:
        data = world // (layout.stages * context)
        if not data or world % (layout.stages * context) or data != (fixed.data or data):
            continue
        sizes = (size for size in powers_of_two(data) if data % size == 0)
        for expert in _expert_sizes(model, request, sizes if context == 1 else (1,)):
            yield Layout(
                nodes=layout.nodes,
                tensor=layout.tensor,
                pipeline=layout.pipeline,
                context=context,
                expert=expert,
                data=data,
            )
