"""Defaults of the keys of a queue."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from neuron_cluster.resolved.compute_group import ComputeGroup
    from neuron_cluster.schedulers.slurm.section import SectionQueue

Queue = TypeVar("Queue", bound="SectionQueue")


def has_whole_nodes(queue: SectionQueue, groups: Iterable[ComputeGroup]) -> bool:
    """Returns the value of the file, else whether one of its groups has Neuron devices. ``groups`` are all."""
    if queue.whole_nodes is not None:
        return queue.whole_nodes
    return any(group.is_neuron for group in groups if group.name in queue.groups)


def default_queue(queues: Sequence[Queue]) -> Queue | None:
    """The queue that is given as default, else the first one; None where each queue has ``default: false``."""
    given = next((queue for queue in queues if queue.default), None)
    return given or next((queue for queue in queues[:1] if queue.default is None), None)
