"""The section of the environment file with a Slurm cluster, as rules read it, whichever provider runs the cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeGuard

from msgspec import Struct

from neuron_cluster.config.section_keys import has_keys_of
from neuron_cluster.config.sections import sections
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.resolved.compute_group import ClusterGroup
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class SectionGroup(Protocol):
    """A group of nodes that run jobs."""

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, str]:
        """Slurm settings of its nodes, by name."""
        ...


class SectionQueue(Protocol):
    """A queue. A key that the file does not have is None."""

    @property
    def name(self) -> str: ...

    @property
    def groups(self) -> Sequence[str]:
        """Names of groups."""
        ...

    @property
    def default(self) -> bool | None: ...

    @property
    def whole_nodes(self) -> bool | None: ...

    @property
    def settings(self) -> Mapping[str, str]: ...


class SlurmSection(Protocol):
    """The model of a section. Each provider of Slurm clusters has one with these keys."""

    @property
    def service(self) -> str:
        """The service that runs the cluster, as messages name it."""
        ...

    @property
    def mounts_efs(self) -> bool:
        """Whether nodes mount the access points of ``storage.efs``."""
        ...

    @property
    def version(self) -> str: ...

    @property
    def accounting(self) -> bool: ...

    @property
    def settings(self) -> Mapping[str, str]:
        """Slurm settings of the cluster, by name."""
        ...

    @property
    def groups(self) -> Sequence[SectionGroup]: ...

    @property
    def queues(self) -> Sequence[SectionQueue]: ...


class MayHaveSlurm(Protocol):
    """The model of a section that has Slurm as one of its choices."""

    @property
    def slurm_section(self) -> SlurmSection | None: ...


class SlurmInFile(Struct, frozen=True):
    """A section, its place in the file, and its compute groups with their defaults."""

    path: KeyPath
    section: SlurmSection
    compute_groups: tuple[ClusterGroup, ...]
    has_queue_list: bool = True
    """Whether ``queues`` is a key of the section; otherwise the key ``queue`` of each group names its queue."""

    @property
    def job_groups(self) -> tuple[ClusterGroup, ...]:
        """Groups that run jobs, in the order of the file."""
        return tuple(group for group in self.compute_groups if group.path[:-1] == (*self.path, "groups"))

    def queue_place(self, position: int) -> KeyPath:
        """Returns the place of a queue in the file: an item of ``queues``, or the key of its first group."""
        if self.has_queue_list:
            return (*self.path, "queues", position)
        names = self.section.queues[position].groups
        first = next(at for at, group in enumerate(self.section.groups) if group.name in names)
        return (*self.path, "groups", first, "queue")

    @property
    def login_names(self) -> frozenset[str]:
        """Names of groups from which users submit jobs, and which run none."""
        with_jobs = {group.path for group in self.job_groups}
        return frozenset(group.name for group in self.compute_groups if group.path not in with_jobs)


def slurm_in(environment: ResolvedEnvironment) -> Iterator[SlurmInFile]:
    """Yields the Slurm sections of a file, in its order."""
    for key in (spec.key for spec in sections()):
        section: object = getattr(environment.config, key, None)
        is_choice = _may_have_slurm(section)
        if _may_have_slurm(section):
            section = section.slurm_section
        if _has_slurm_keys(section):
            groups = tuple(group for group in environment.cluster_groups if group.provider == key)
            yield SlurmInFile((key,), section, groups, has_queue_list=not is_choice)


def _may_have_slurm(section: Any) -> TypeGuard[MayHaveSlurm]:
    return has_keys_of(section, MayHaveSlurm)


def _has_slurm_keys(section: Any) -> TypeGuard[SlurmSection]:
    return has_keys_of(section, SlurmSection)


def has_slurm(environment: ResolvedEnvironment) -> bool:
    """Whether the file has such a section: its teams are users of Slurm nodes."""
    return next(slurm_in(environment), None) is not None


def with_queue_list(environment: ResolvedEnvironment) -> Iterator[SlurmInFile]:
    """Yields the sections whose key ``queues`` lists groups."""
    return (slurm for slurm in slurm_in(environment) if slurm.has_queue_list)
