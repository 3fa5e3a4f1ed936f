"""Rules: one file, one class, one check of the environment.

The docstring of a rule is its page: the first line is the title; the rest gives the reason, and what fails without the
check. Rules are discovered by their package; there is no registry.
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
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


LOCK_IT = Command.LOCK
"""In hints; ``rules.run`` renders the command with the path of the file."""


class Violation(Struct, frozen=True):
    """One violation. ``rules.run`` adds the rule's id and the location in the file."""

    path: KeyPath
    message: str
    """What was given and what is allowed, in words of the environment file."""
    hint: str
    """What to change."""
    related: tuple[KeyPath, ...] = ()
    """Other list items that the message compares with."""
    proposes: tuple[str, ...] | None = None
    """Of this violation, where its hint proposes other keys than ``Rule.proposes``."""


class Rule(CitesReferences, abc.ABC):
    """Common to all kinds."""

    id: ClassVar[str]
    """``E`` or ``W``, then the chapter (1 network, 2 cluster, 3 node groups, 4 storage, 5 software, 6 identity,
    7 workstations)."""
    source: ClassVar[str]
    """The documentation of the checked fact."""
    proposes: ClassVar[tuple[str, ...]] = ()
    """Optional keys that its hints write. Where a default replaced an invalid value, the hint may be wrong."""


class ConfigRule(Rule):
    """Stage 1: checks the file as written, before the plan is derived from it."""

    @abc.abstractmethod
    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]: ...


class LockRule(Rule):
    """Stage 1: checks the file together with its lock. ``lock`` is None when there is none."""

    written_by_part: ClassVar[str] = ""
    """Part of the stack whose command writes into the lock what the rule misses; not checked for that command."""

    @abc.abstractmethod
    def check(self, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[Violation]: ...


class DatedRule(Rule):
    """Stage 1: checks the file as of a date. Synthesis has no date and skips it."""

    @abc.abstractmethod
    def check(self, environment: ResolvedEnvironment, catalog: Catalog, as_of: date) -> Iterator[Violation]: ...


class PlanRule(Rule):
    """Stage 2: checks the plan, which has addresses and generated names. Runs only when stage 1 found no error."""

    @abc.abstractmethod
    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]: ...
