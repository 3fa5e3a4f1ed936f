"""Every place of the file with Slurm settings, and those that the toolkit decides there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.schedulers.slurm.script_settings import FIXED
from neuron_cluster.schedulers.slurm.section import SlurmSection


class SettingPlace(Struct, frozen=True):
    path: KeyPath
    level: str
    """As the catalog calls it: ``cluster``, ``group`` or ``queue``."""
    settings: Mapping[str, str]


DECIDED: Mapping[tuple[str, str], str] = {
    **{("cluster", name): "the toolkit" for name in FIXED},
    ("group", "Gres"): "the instance type",
    ("queue", "Default"): "default",
    ("queue", "OverSubscribe"): "whole_nodes",
    ("queue", "Exclusive"): "whole_nodes",
}
"""The key, or the part of the toolkit, that decides the value of a setting, by level and name."""


def setting_places(path: KeyPath, slurm: SlurmSection) -> Iterator[SettingPlace]:
    """Yields the places of the section at this path in the order of the file, those without a setting too."""
    yield SettingPlace((*path, "settings"), "cluster", slurm.settings)
    for position, group in enumerate(slurm.groups):
        yield SettingPlace((*path, "groups", position, "settings"), "group", group.settings)
    for position, queue in enumerate(slurm.queues):
        yield SettingPlace((*path, "queues", position, "settings"), "queue", queue.settings)
