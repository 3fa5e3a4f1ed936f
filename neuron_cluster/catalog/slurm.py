"""Slurm on AWS Parallel Computing Service (PCS): versions, cluster sizes, settings that PCS allows, open questions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.slurm_value import SlurmValue
from neuron_cluster.catalog.sourced_row import SourcedRow


class SlurmVersion(SourcedRow, frozen=True, kw_only=True):
    """One major version that PCS runs (``name`` is ``25.11``)."""

    offered_from: date | None
    """None where no source has the day."""
    support_ends: date
    """Afterwards PCS creates no cluster with it, and suspends existing ones within 12 months."""
    log_types: tuple[str, ...]
    """Kinds of logs of the controller that PCS delivers, as CloudWatch Logs calls them."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.offered_from is not None and self.offered_from >= self.support_ends:
            yield "support_ends", "support ends after PCS offers the version"


class PcsSize(SourcedRow, frozen=True, kw_only=True):
    """A size of the controller, which no update changes: instances of all groups, and jobs that run or wait."""

    nodes: int
    jobs: int

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if min(self.nodes, self.jobs) < 1:
            yield "nodes", "a size allows a node and a job at least"


class SlurmSettings(SourcedRow, frozen=True, kw_only=True):
    """The Slurm settings that PCS accepts at one level (``name``): ``cluster``, ``group`` or ``queue``."""

    settings: FrozenMap[str, str]
    """The first version with which PCS accepts a setting, by name."""
    values: FrozenMap[str, SlurmValue] = FrozenMap()
    """The values that Slurm reads, by name of the setting. A setting that is not here has free text."""
    not_accepted: tuple[str, ...] = ()
    """Settings of slurm.conf that PCS does not accept at this level with any version."""
    need_accounting: tuple[str, ...] = ()
    """Names of settings that refer to the database of accounting."""
    minimums: FrozenMap[str, int] = FrozenMap()
    """The smallest number that PCS accepts, by name, in the unit of slurm.conf."""

    def accepts(self, name: str) -> bool:
        """With some version."""
        return name in self.settings

    def lines_by_version(self) -> Iterator[str]:
        """Yields a line for each first version, with the settings that PCS accepts from it on."""
        for version in sorted(set(self.settings.values())):
            names = [name for name, first in self.settings.items() if first == version]
            yield f"from {version}: {', '.join(names)}"

    def contradictions(self) -> Iterator[tuple[str, str]]:
        for name in sorted({*self.not_accepted} & {*self.settings}):
            yield "not_accepted", f"{name} is in settings"
        for name in self.need_accounting:
            if not self.accepts(name):
                yield "need_accounting", f"{name} is not in settings"
        for name in self.minimums:
            if name not in self.values or self.values[name].kind != "number":
                yield "minimums", f"{name} has no number in values"
        for name, value in self.values.items():
            if name not in self.settings:
                yield "values", f"{name} is not in settings"
            yield from (("values", f"{name}: {reason}") for reason in value.contradictions())


class SlurmDoubt(SourcedRow, frozen=True, kw_only=True):
    """A fact that no source has, or that sources have differently, and that no account has shown yet."""

    title: str
    unknown: str
    """The unknown fact, as a sentence without a full stop."""
    check: str
    """How an account would answer it."""
    regions: tuple[str, ...] = ()
    """Regions that it is about; empty where it is about none in particular, as the next three."""
    versions: tuple[str, ...] = ()
    """Slurm versions that it is about."""
    settings: tuple[str, ...] = ()
    """Slurm settings that it is about."""
    operating_systems: tuple[str, ...] = ()
    """Those of nodes that it is about, as the catalog of Deep Learning AMIs names them."""

    def is_about(self, region: str, version: str, settings: Collection[str], operating_system: str | None) -> bool:
        """Whether a cluster with these depends on it. False where it is about none of them in particular."""
        return (
            bool(self.regions or self.versions or self.settings or self.operating_systems)
            and (not self.operating_systems or operating_system in self.operating_systems)
            and (not self.regions or region in self.regions)
            and (not self.versions or version in self.versions)
            and (not self.settings or not set(self.settings).isdisjoint(settings))
        )
