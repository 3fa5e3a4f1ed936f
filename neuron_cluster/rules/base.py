"""Rules: one file, one class, one check of the environment.

The docstring of a rule is its page: the first line is the title; the rest gives the reason, and what fails without the
check. Rules are discovered by their package; there is no registry.
"""

from __future__ import annotations

import abc
import enum
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from msgspec import UNSET, Struct, UnsetType

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.commands import Command
from neuron_cluster.findings.needs import needed
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
    """The given value and what is allowed, in words of the environment file."""
    hint: str
    """The change that corrects it."""
    related: tuple[KeyPath, ...] = ()
    """Other list items that the message compares with."""
    proposes: tuple[str, ...] | None = None
    """The keys that this hint proposes, where they are others than ``Rule.proposes``."""


Violations = Iterator[Violation]


class Needs(enum.Enum):
    """The subject of a rule, which decides when it runs. The file and the catalog are there for each."""

    FILE = "the environment file"
    """Stage 1: the file as written, before the plan is derived from it."""
    LOCK = "the environment file and its lock"
    """Stage 1. Skipped where there is a lock that cannot be read."""
    DATE = "the environment file, on the date of --as-of"
    """Stage 1. Synthesis has no date and skips it."""
    PLAN = "the plan"
    """Stage 2: the plan, which has addresses and generated names. Runs only when stage 1 found no error."""


class RuleContext(Struct, frozen=True, kw_only=True):
    """The input of a rule. ``plan``, ``lock`` and ``as_of`` raise ``UndeclaredNeed`` unless ``needs`` names them."""

    environment: ResolvedEnvironment
    catalog: Catalog
    given_plan: ClusterPlan | UnsetType = UNSET
    given_lock: Lock | UnsetType | None = UNSET
    given_date: date | UnsetType = UNSET

    @property
    def plan(self) -> ClusterPlan:
        """The plan that is derived from the file."""
        return needed(self.given_plan, Needs.PLAN)

    @property
    def lock(self) -> Lock | None:
        """The lock of the file; None when there is none."""
        return needed(self.given_lock, Needs.LOCK)

    @property
    def as_of(self) -> date:
        """The day on which the file is checked."""
        return needed(self.given_date, Needs.DATE)


class Rule(CitesReferences, abc.ABC):
    """Base of all rules over an environment."""

    id: ClassVar[str]
    """``E`` or ``W``, then the chapter (1 network, 2 cluster, 3 node groups, 4 storage, 5 software, 6 identity,
    7 workstations)."""
    needs: ClassVar[Needs] = Needs.FILE
    source: ClassVar[str]
    """The documentation of the checked fact."""
    proposes: ClassVar[tuple[str, ...]] = ()
    """Optional keys that its hints write. Where a default replaced an invalid value, the hint may be wrong."""
    written_by_stack: ClassVar[str] = ""
    """Key of the stack whose command writes into the lock what the rule misses; not checked for that command."""

    @abc.abstractmethod
    def check(self, context: RuleContext) -> Violations: ...
