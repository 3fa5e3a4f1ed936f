"""Whether cores can share a model: the calculation of ``recommend``, for servers and trainers."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.model_division import model_divisions
from neuron_cluster.sizing.divisions import dividing_sizes, undivided_sizes
from neuron_cluster.workloads.model_shape import ModelShape

CERTAIN, DOUBTFUL = "E9262", "W9263"


class DivisionProblem(Struct, frozen=True):
    """``id`` is that of the finding. ``sizes`` are tensor parallel sizes that divide the model."""

    id: str
    message: str
    sizes: tuple[int, ...]


def division_problems(shape: ModelShape, program: str, *, tensor: int, cores: int) -> Iterator[DivisionProblem]:
    """At most one: sizes that ``tensor`` cores do not divide, those without doubt first.

    ``program`` is a row of the divisions; another one, such as TorchServe, divides nothing. ``cores`` are those of the
    machine.
    """
    rule = model_divisions().get(program)
    if rule is None or shape.sizes is None:
        return
    found = list(undivided_sizes(shape.sizes, rule, tensor=tensor))
    sizes = tuple(dividing_sizes(shape.sizes, rule, cores)) if found else ()
    certain = [each.nouns for each in found if each.doubt is None]
    if certain:
        message = f"{tensor} cores cannot share the {' and '.join(certain)} of {shape.name}"
        yield DivisionProblem(CERTAIN if shape.is_certain else DOUBTFUL, message, sizes)
        return
    doubted = [each for each in found if each.doubt is not None]
    if doubted:
        nouns = " and ".join(each.nouns for each in doubted)
        doubts = "; ".join(dict.fromkeys(each.doubt for each in doubted if each.doubt))
        message = f"{tensor} cores do not divide the {nouns} of {shape.name} (in doubt: {doubts})"
        yield DivisionProblem(DOUBTFUL, message, sizes)


def stage_problems(shape: ModelShape, pipeline: int) -> Iterator[DivisionProblem]:
    """Layers that stages of pipeline parallelism do not divide: the largest stage decides memory and time."""
    if shape.layers % pipeline:
        most = -(-shape.layers // pipeline)
        message = (
            f"{pipeline} stages do not divide the {shape.layers} layers of {shape.name}: the largest has {most}"
            if pipeline <= shape.layers
            else f"{pipeline} stages are more than the {shape.layers} layers of {shape.name}"
        )
        sizes = tuple(size for size in range(1, pipeline + 1) if shape.layers % size == 0)
        yield DivisionProblem(DOUBTFUL, message, sizes)
