"""What a rule is: one file, one class, one question about the environment.

A rule's docstring is its page: the first line says the rule as a sentence; the rest says why, and what AWS answers
without it. Rules are found by their place in this folder; nothing registers them.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.commands import Command
from neuron_cluster.findings.references import CitesReferences

if TYPE_CHECKING:
    from datetime import date

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.resolved.environment import ResolvedEnvironment


LOCK_IT = Command.LOCK
"""In hints; ``rules.run`` renders the command with the file, which no rule knows."""


class Violation(Struct, frozen=True):
    """What a rule found. ``rules.run`` adds the rule's id and the place in the file."""

    path: KeyPath
    message: str
    """What was given and what is allowed, in words of the environment file."""
    hint: str
    """What to change."""
    related: tuple[KeyPath, ...] = ()
    """Other list items that the message compares with."""
    proposes: tuple[str, ...] | None = None
    """Of this one, where its hint proposes other keys than the rule says."""


class Rule(CitesReferences, abc.ABC):
    """Common to all kinds."""

    id: ClassVar[str]
    """``E`` or ``W``, then the chapter (1 network, 2 cluster, 3 node groups, 4 storage, 5 software, 6 identity,
    7 workstations)."""
    source: ClassVar[str]
    """Where the fact behind the rule can be read."""
    proposes: ClassVar[tuple[str, ...]] = ()
    """Keys with a default that its hints ask to write. Where the default stands for a broken value, the hint may be
    wrong."""


class ConfigRule(Rule):
    """Stage 1: asks the file as written, before anything is derived from it."""

    @abc.abstractmethod
    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]: ...


class LockRule(Rule):
    """Stage 1: asks the file together with its lock. ``lock`` is None when there is none."""

    @abc.abstractmethod
    def check(self, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[Violation]: ...


class DatedRule(Rule):
    """Stage 1: asks what is true on a day. Synthesis knows no day and does not ask."""

    @abc.abstractmethod
    def check(self, environment: ResolvedEnvironment, catalog: Catalog, as_of: date) -> Iterator[Violation]: ...


class PlanRule(Rule):
    """Stage 2: asks the plan, where addresses and final names are known. Runs only when stage 1 found no error."""

    @abc.abstractmethod
    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]: ...
