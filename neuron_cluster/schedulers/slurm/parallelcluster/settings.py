"""Slurm settings that the configuration of ParallelCluster may hold."""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.catalog.parallelcluster import ParallelClusterRelease
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster
from neuron_cluster.schedulers.slurm.script_settings import FIXED

OWN_KEYS: Mapping[tuple[str, str], str] = {
    ("group", "Gres"): "",
    ("group", "Weight"): "StaticNodePriority and DynamicNodePriority",
    ("queue", "Default"): "the order of queues",
    ("queue", "OverSubscribe"): "JobExclusiveAllocation",
    ("queue", "Exclusive"): "JobExclusiveAllocation",
}
"""The key of ParallelCluster that decides a setting, by level and name; Gres has none and a finding of its own."""
BY_MEMORY = ("SelectTypeParameters", "CR_CPU_Memory")
"""The setting that ``EnableMemoryBasedScheduling`` writes."""


OF_SCRIPTS = {*FIXED, "HealthCheckInterval"}
"""Settings of scripts of the toolkit, which nodes of ParallelCluster do not have."""


def is_memory_scheduled(slurm: SlurmCluster) -> bool:
    """Whether CPUs and memory are both allocated."""
    name, value = BY_MEMORY
    return slurm.settings.get(name) == value


def kept_settings(
    slurm: SlurmCluster, level: str, settings: Mapping[str, str], release: ParallelClusterRelease
) -> dict[str, str]:
    """Returns the settings of one level that are custom settings of ParallelCluster too, by name."""
    rejected = rejected_settings(level, settings, release)
    decided = {name for name in settings if (level, name) in OWN_KEYS}
    if is_memory_scheduled(slurm) and level == "cluster":
        decided.add(BY_MEMORY[0])
    if level == "cluster":
        decided |= OF_SCRIPTS
    return {name: value for name, value in settings.items() if name not in decided and name not in rejected}


def rejected_settings(level: str, settings: Mapping[str, str], release: ParallelClusterRelease) -> tuple[str, ...]:
    """Returns the names that ParallelCluster rejects and has no key for."""
    reserved = release.reserved_settings[level]
    known = {name for of_level, name in OWN_KEYS if of_level == level} | OF_SCRIPTS
    return tuple(name for name in settings if name.lower() in reserved and name not in known)
