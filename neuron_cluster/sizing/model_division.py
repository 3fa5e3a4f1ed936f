"""Whether cores can share a model: the calculation of ``recommend``, for servers and trainers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.model_family import USUAL
from neuron_cluster.sizing.divisions import (
    ExpertGroups,
    Undivided,
    dividing_sizes,
    one_group,
    undivided_sizes,
    unread_sizes,
)
from neuron_cluster.sizing.model_shape import ModelShape
from neuron_cluster.sizing.program_options import option_of, whole_option

CERTAIN, DOUBTFUL = "E9262", "W9263"
EXPERT_PARALLEL, COPIES = "--enable-expert-parallel", ("--data-parallel-size", "-dp")


class DivisionProblem(Struct, frozen=True):
    """``id`` is that of the finding. ``sizes`` are tensor parallel sizes that divide the model; none where groups of
    cores do not divide its experts at any size."""

    id: str
    message: str
    sizes: tuple[int, ...]
    unread: tuple[str, ...] = ()
    """Fields that the file does not have."""

    def hint(self, setting: str) -> str:
        """``setting`` is followed by the sizes, such as ``set model.tensorParallelSize to``."""
        if self.unread:
            return f"add {' and '.join(self.unread)} to the file, as the model's own config.json has it"
        if not self.sizes:
            return "give whole experts to a number of groups of cores that divides them, or to none"
        return f"{setting} {', '.join(map(str, self.sizes))}"


def groups_of_vllm(arguments: Sequence[str], copies: int | None = None, degree: object = None) -> ExpertGroups:
    """All cores of all copies have experts of their own with ``--enable-expert-parallel``, or ``degree`` groups
    (aws-neuron/aws-neuron-sdk: vllm-neuron/docs/design/parallelism/expert_parallelism.md)."""
    if option_of(arguments, EXPERT_PARALLEL) is None:
        return one_group
    copies = copies or whole_option(arguments, *COPIES) or 1
    return lambda tensor: degree if isinstance(degree, int) and degree > 0 else tensor * copies


def division_problems(
    shape: ModelShape,
    program: str,
    catalog: Catalog,
    *,
    tensor: int,
    cores: int,
    expert_groups: ExpertGroups = one_group,
) -> Iterator[DivisionProblem]:
    """At most one: sizes that ``tensor`` cores do not divide, those without doubt first, then sizes that were not read.

    ``program`` is a row of the divisions; another one, such as TorchServe, divides nothing. ``cores`` are those of the
    machine.
    """
    rule = catalog.model_divisions.get(program)
    if rule is None or shape.sizes is None:
        return
    found = list(undivided_sizes(shape.sizes, rule, tensor=tensor, expert=expert_groups(tensor)))
    sizes = tuple(dividing_sizes(shape.sizes, rule, cores, expert_groups)) if found else ()
    certain = [each for each in found if each.doubt is None]
    if certain:
        message = f"{_parts(certain, tensor)} cannot share the {_nouns(certain)} of {shape.name}"
        yield DivisionProblem(CERTAIN if shape.is_certain else DOUBTFUL, message, sizes)
        return
    doubted = [each for each in found if each.doubt is not None]
    if doubted:
        doubts = "; ".join(dict.fromkeys(each.doubt for each in doubted if each.doubt))
        message = f"{_parts(doubted, tensor)} do not divide the {_nouns(doubted)} of {shape.name} (in doubt: {doubts})"
        yield DivisionProblem(DOUBTFUL, message, sizes)
        return
    unread = tuple(catalog.model_families[USUAL].fields.get(size, "") for size in unread_sizes(shape.sizes, rule))
    if unread and tensor > 1:
        message = f"{shape.name} has no {' and no '.join(unread)}: whether {tensor} cores divide it was not compared"
        yield DivisionProblem(DOUBTFUL, message, (), unread)


def _nouns(found: Sequence[Undivided]) -> str:
    return " and ".join(each.nouns for each in found)


def _parts(found: Sequence[Undivided], tensor: int) -> str:
    """The number that divides none of the sizes; ``tensor`` cores where it is not one."""
    parts = {f"{each.by} {each.unit}" for each in found}
    return parts.pop() if len(parts) == 1 else f"{tensor} cores"


def stage_problems(shape: ModelShape, pipeline: int) -> Iterator[DivisionProblem]:
    """Layers that stages of pipeline parallelism do not divide: the largest stage decides memory and time.

    NxD gives the last stages one more, and ends where a stage has none ("The partition cannot be created",
    aws-neuron/neuronx-distributed@fbac349: pipeline/partition.py); other programs may cut elsewhere.
    """
    if shape.layers % pipeline:
        most = -(-shape.layers // pipeline)
        message = (
            f"{pipeline} stages do not divide the {shape.layers} layers of {shape.name}: the largest has {most}"
            if pipeline <= shape.layers
            else f"{pipeline} stages are more than the {shape.layers} layers of {shape.name}"
        )
        sizes = tuple(size for size in range(1, pipeline + 1) if shape.layers % size == 0)
        yield DivisionProblem(DOUBTFUL, message, sizes)
