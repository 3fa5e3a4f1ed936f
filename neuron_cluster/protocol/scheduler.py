"""The protocol of a scheduler: what places workloads on the machines of a provider."""

# ruff: noqa: ARG002 - the defaults use no argument

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.chip import Chip
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.team import Team
    from neuron_cluster.project import Project
    from neuron_cluster.protocol.option import Option
    from neuron_cluster.protocol.pod_schedule import PodSchedule, UserManifests
    from neuron_cluster.protocol.running_work import RunningList, RunningWork, Shown
    from neuron_cluster.protocol.submission import ApiJob
    from neuron_cluster.protocol.team_departure import TeamDeparture
    from neuron_cluster.protocol.team_pack import CommandPlace, Pack
    from neuron_cluster.protocol.team_pages import TeamPages
    from neuron_cluster.protocol.workload import ListedWorkload, Placement, Rendered, Workload
    from neuron_cluster.rehearsal.fault_notation import Kind as FaultKind
    from neuron_cluster.rehearsal.rehearsal_plan import PlannedRehearsal, Request


class Environment(Protocol):
    """An environment without errors, and the project that it is built with."""

    @property
    def plan(self) -> ClusterPlan: ...

    @property
    def lock(self) -> Lock | None: ...

    @property
    def project(self) -> Project: ...

    @property
    def catalog(self) -> Catalog: ...


class Scheduler:
    """One scheduler, whichever provider has its machines. Its module imports nothing that `--help` does not need."""

    name: str
    kind: str
    """Noun of one of its workloads, for messages: ``chart``."""
    options: tuple[Option, ...]
    """Options of all its workloads, in the order of the help."""
    options_hint: str
    """How a user sets what the option of another scheduler would set."""
    verbs: frozenset[str] = frozenset({"render", "submit"})
    """Verbs of `workload` that it has in addition to `list`; `list` in it stands for ``--running``."""
    rule_package: str | None = None
    """Dotted name of the package or module of its rules; None without any. They run with those of its providers."""

    places_pods: bool = False
    """Whether its workloads are pods, which ``schedule`` places."""

    def options_of(self, verb: str) -> tuple[Option, ...]:
        """Options of one verb."""
        return tuple(each for each in self.options if verb in each.verbs)

    def workloads(self) -> tuple[Workload, ...]:
        """In the order in which messages name them."""
        raise NotImplementedError

    def own_workloads(self, plan: ClusterPlan) -> tuple[Workload, ...]:
        """Workloads that the file of an environment names, in addition to ``workloads``."""
        return ()

    def why_none(self, name: str) -> str | None:
        """States what a name that is none of ``workloads`` stands for; None for an unknown one."""
        return None

    def listed(self, plan: ClusterPlan, catalog: Catalog) -> Sequence[ListedWorkload]:
        """Workloads as `workload list` shows them for an environment, which may have another scheduler."""
        return ()

    def compiling_releases(self, chip: Chip, sdk: str, catalog: Catalog) -> Iterator[str]:
        """SDK releases of the images in which its workloads compile for a chip, in an environment with ``sdk``."""
        yield from ()

    def place(
        self, workload: Workload, environment: Environment, values: Mapping[str, Any]
    ) -> Placement | tuple[Finding, ...]:
        """The placement, or the errors that prevent one. ``values`` are those of its options, by destination.

        Raises ``InvalidEnvironment`` for an environment without a place for any of its workloads.
        """
        raise NotImplementedError

    def render(self, placement: Placement) -> Rendered:
        """Files and submission of what ``place`` returned."""
        raise NotImplementedError

    def schedule(
        self,
        plan: ClusterPlan,
        lock: Lock | None,
        catalog: Catalog,
        manifests: UserManifests | None,
        project: str | None,
    ) -> PodSchedule:
        """Pods of the cluster's software, or of ``manifests``, on all node groups; for one that ``places_pods``.

        ``project`` is the option of that name. Raises ``ToolkitError``.
        """
        raise NotImplementedError

    def rehearsal(
        self, environment: Environment, name: str, values: Mapping[str, Any], request: Request
    ) -> PlannedRehearsal:
        """The rehearsal of a workload, or of a component of the cluster. Raises ``ToolkitError``."""
        raise NotImplementedError

    def fault_kinds(self) -> Mapping[str, FaultKind]:
        """Faults of `workload rehearse` by name."""
        from neuron_cluster.rehearsal.faults import FAULTS

        return FAULTS

    def why_rehearsed(self, file: Path) -> Shown:
        """Why a rehearsed workload did not complete, by the JSON of its rehearsal. Raises ``ToolkitError``."""
        raise NotImplementedError

    def no_rehearsal(self, workload: Workload) -> ToolkitError:
        """The error of `workload rehearse`, for a scheduler without that verb."""
        raise NotImplementedError

    def api_job(self, plan: ClusterPlan) -> ApiJob | None:
        """Requests that follow its jobs, where ``ApiCall`` submits them; ``running`` is not called then."""
        return None

    def running(self, environment: Environment, name: str, values: Mapping[str, Any]) -> RunningWork:
        """The running workload of this name. Raises ``ToolkitError``."""
        raise NotImplementedError

    def running_list(self, environment: Environment, values: Mapping[str, Any]) -> RunningList:
        """All running workloads. Raises ``ToolkitError``."""
        raise NotImplementedError

    def team_pack(
        self, environment: Environment, team: Team, catalog: Catalog, place: CommandPlace, others: Mapping[str, str]
    ) -> Pack | None:
        """The pack of `onboard`, of a scheduler that has more than ``team_pages``.

        ``others`` has other clusters of the team by the path of their page. Raises ``InvalidEnvironment``.
        """
        return None

    def team_departure(self, plan: ClusterPlan, team: Team, catalog: Catalog, environment: str) -> TeamDeparture | None:
        """The departure of a team, for `offboard`; None for a plan without its cluster.

        ``environment`` is the argument that commands name it by.
        """
        pages = self.team_pages(plan, team, catalog)
        return pages.departure if pages is not None else None

    def team_pages(self, plan: ClusterPlan, team: Team, catalog: Catalog) -> TeamPages | None:
        """The pages of `onboard` and `offboard` about a cluster without a pack of its own; None without its cluster."""
        return None
