"""All sections of the state of an environment, the worst first, and the exit status that they have together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import chain

from msgspec import Struct, structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.aws_access import AwsAccess
from neuron_cluster.protocol.registry import registered_operations
from neuron_cluster.protocol.status import HeldResources, StatusLine, StatusQuery, StatusSection, Verdict
from neuron_cluster.status.alarms import alarm_section
from neuron_cluster.status.budgets import budget_section
from neuron_cluster.status.capacity import capacity_section
from neuron_cluster.status.network import network_section
from neuron_cluster.status.stacks import held_resources, stack_section
from neuron_cluster.status.storage import storage_section
from neuron_cluster.status.workstations import workstation_section

HEALTHY, COULD_NOT_LOOK, NOT_HEALTHY = 0, 1, 3
"""Exit statuses of `status`."""
ORDER = list(Verdict)
SECTIONS = (
    capacity_section,
    storage_section,
    network_section,
    workstation_section,
    alarm_section,
    budget_section,
)
"""Sections of the core, after stacks and providers."""


class EnvironmentStatus(Struct, frozen=True):
    """The state of an environment at one moment."""

    environment: str
    account: str
    region: str
    at: datetime
    sections: tuple[StatusSection, ...]
    not_looked_at: tuple[str, ...] = ()
    """Resources of the environment that no line is about, each with what shows them."""

    @property
    def lines(self) -> list[StatusLine]:
        return list(chain.from_iterable(section.lines for section in self.sections))

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of all lines."""
        return worst(self.lines)

    def exit_status(self, fail_on: Verdict) -> int:
        """3 for a line as bad as ``fail_on`` or worse, 1 where a part was not read, else 0."""
        verdicts = {line.verdict for line in self.lines}
        if verdicts & {Verdict.ERROR, fail_on}:
            return NOT_HEALTHY
        return COULD_NOT_LOOK if Verdict.NOT_READ in verdicts else HEALTHY


def read_status(
    plan: ClusterPlan,
    access: AwsAccess,
    catalog: Catalog,
    *,
    at: datetime,
    argument: str,
    of_file: Callable[[datetime | None], StatusSection | None],
    may_run_commands: bool = False,
) -> EnvironmentStatus:
    """Reads every part of the plan. A service that does not answer is a line; nothing is changed.

    With ``may_run_commands`` a command of the scheduler is sent to a node, where that is the only way to its state.

    ``argument`` names the environment in commands. ``of_file`` returns the section about the file itself; it is given
    the moment of the last deploy, or None where that was not read.
    """
    query = StatusQuery(plan, access, catalog, at, HeldResources({}), argument, may_run_commands)
    query = structs.replace(query, held=held_resources(query))
    stacks = stack_section(query)
    deployed = max((line.since for line in stacks.lines if line.since is not None), default=None)
    of_providers = chain.from_iterable(operations.status(query) for operations in registered_operations())
    parts = (stacks, *of_providers, *(section(query) for section in SECTIONS), of_file(deployed))
    found = [section for section in parts if section is not None]
    sections = [_sorted(section) for section in found if section.lines]
    ordered = sorted(sections, key=lambda section: ORDER.index(worst(section.lines)))
    not_looked_at = tuple(section.not_looked_at for section in found if section.not_looked_at)
    return EnvironmentStatus(plan.name, plan.account, plan.region, at, tuple(ordered), not_looked_at)


def worst(lines: Sequence[StatusLine]) -> Verdict:
    """The worst verdict; healthy without lines."""
    return min((line.verdict for line in lines), key=ORDER.index, default=Verdict.HEALTHY)


def _sorted(section: StatusSection) -> StatusSection:
    lines = tuple(sorted(section.lines, key=lambda line: ORDER.index(line.verdict)))
    return structs.replace(section, lines=lines)
