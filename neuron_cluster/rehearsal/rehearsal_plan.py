"""The rehearsed objects and their cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from local_kubernetes.model.node_recovery import NodeRecovery
from local_kubernetes.model.scheduling.node import NodeInfo
from neuron_cluster.findings.finding import Finding
from neuron_cluster.rehearsal.cluster.queues import Queue
from neuron_cluster.rehearsal.fault import Fault
from neuron_cluster.rehearsal.given_files import GivenFile
from neuron_cluster.rehearsal.outcome import Outcome
from neuron_cluster.rehearsal.trainers import Trainer, chosen_trainer, values_of


class Request(Struct, frozen=True, kw_only=True):
    """The request of a user. ``nodes`` of a workload are at least one for each pod, and the desired size of the group;
    those of a component exactly so many in each group."""

    faults: tuple[Fault, ...]
    nodes: int | None
    steps: int
    ranks: int
    compile_seconds: int
    time_limit: str | None = None
    """Time limit of the job, in the notation of its scheduler; None: that of its script or queue."""
    limit_hours: int | None
    """None: as long as the scheduler lets a workload of its kind run."""
    seconds: Mapping[str, float]
    trainer: str | None = None
    """Name of the training program; None for the best one that is installed."""
    step_seconds: int
    checkpoint_every: int
    """Steps."""
    save_seconds: int
    files: tuple[GivenFile, ...] = ()

    @property
    def trainer_values(self) -> Mapping[str, Any]:
        """``trainer`` of the values of neuron-training, for the trainer of rehearsals. Raises ``ToolkitError``."""
        settings = {
            "--steps": self.steps,
            "--step-seconds": self.step_seconds,
            "--checkpoint-every": self.checkpoint_every,
            "--save-seconds": self.save_seconds,
            "--compile-seconds": self.compile_seconds,
        }
        return values_of(chosen_trainer(self.trainer), settings)


class NodeGroup(Struct, frozen=True, kw_only=True):
    """``node`` is one of the group, ``hourly_usd`` its price, and ``recovery`` what replaces an instance that stops.

    ``ultraserver_sizes`` are the numbers of nodes that work together inside an UltraServer; empty for other nodes.
    """

    node: NodeInfo
    nodes: int
    hourly_usd: float | None
    recovery: NodeRecovery | None
    repair_seconds: float | None
    """From a device error until node auto repair drains the node; None where it does not."""
    ultraserver_sizes: tuple[int, ...] = ()


class RehearsalPlan(Struct, frozen=True, kw_only=True):
    """A rehearsal that can be run. ``groups`` are that of the workload, and those that its other pods select."""

    objects: tuple[Mapping[str, Any], ...]
    namespace: str
    queue: Queue | None
    groups: tuple[NodeGroup, ...]
    trains: bool
    faults: tuple[Fault, ...]
    steps: int
    ranks: int
    compile_seconds: int
    limit_seconds: float
    seconds: Mapping[str, float]
    trainer: Trainer | None
    files: tuple[GivenFile, ...] = ()


class Ran(Struct, frozen=True, kw_only=True):
    """An outcome, and what a rehearsal without pods has in addition."""

    outcome: Outcome
    document: Mapping[str, Any] = {}
    """Further keys of the JSON document."""
    facts: tuple[tuple[str, str], ...] = ()
    """Further facts of its page, by name."""


class PlannedRehearsal(Struct, frozen=True, kw_only=True):
    """A rehearsal of `workload rehearse`. ``name`` has its environment too; ``plan`` is None with an error."""

    name: str
    plan: RehearsalPlan | None
    """Pods on a cluster."""
    findings: tuple[Finding, ...] = ()
    run: Callable[[Path | None, Callable[[float, str], None]], Ran] | None = None
    """Runs one without pods: with the folder to keep, and what shows progress. Raises ``ToolkitError``."""
