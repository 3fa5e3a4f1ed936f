"""Batch jobs of Slurm: scripts of the toolkit with options that fit an environment."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.protocol.submission import NodeCommand, SessionCommand


class Job(Struct, frozen=True):
    """A script, with the arguments and variables that it reads."""

    name: str
    description: str
    arguments: str
    """The arguments that ``--run`` takes: ``TRAINER.py ARGUMENTS``; empty for a job without arguments."""
    needs_arguments: bool
    variables: tuple[str, ...]
    """Variables without which it does not start; nodes may have some of them."""
    frameworks: tuple[str, ...]
    """Names in the catalog, the preferred one first: one of them has to run; empty where it needs none."""
    has_several_nodes: bool
    fills_compile_cache: bool = False


class JobGroup(Struct, frozen=True):
    """A group of an environment that could run a job, before amounts are looked at."""

    group: ComputeGroupPlan
    why_not: tuple[str, ...] = ()
    """Why the job does not run on it; empty where it does."""
    requires: str | None = None
    """The option without which it does not run on it, and what its value has to be."""


class JobOptions(Struct, frozen=True):
    """The request of a user. None and empty: the default of the job or of the environment."""

    group: str | None = None
    queue: str | None = None
    nodes: int | None = None
    devices: int | None = None
    """Neuron devices of each node."""
    time: str | None = None
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    scheduler_options: tuple[str, ...] = ()
    """Options of the scheduler itself, as its command takes them: ``--array=0-2``."""


class JobFinding(Struct, frozen=True):
    """A mistake at an option of the command line."""

    id: str
    option: str
    message: str
    hint: str


class RenderedJob(Struct, frozen=True):
    """``script`` and ``commands`` are empty, and ``submission`` is None, where a finding is an error."""

    script: str
    submission: NodeCommand | SessionCommand | None
    commands: tuple[str, ...]
    """How the script, in a file of ``file_name``, is submitted: commands of the shell, in their order."""
    file_name: str
    group: str
    queue: str
    nodes: int
    devices: int
    """Neuron devices of each node."""
    findings: tuple[JobFinding, ...]
    usable_memory: int | None = None
    """MiB of a node that jobs can request; None where no source has it."""
    most_memory: int | None = None
    """MiB that they cannot exceed, where ``usable_memory`` is an estimate."""
