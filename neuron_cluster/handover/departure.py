"""The departure of a team: what it removes, what stays, and how each is deleted by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.protocol.registry import schedulers_of
from neuron_cluster.protocol.team_departure import DepartureStep, Part, TeamDeparture


class Departure(Struct, frozen=True):
    """``removed`` by the next deploy without the team, ``kept`` by it, and the steps in order."""

    environment: str
    team: str
    removed: tuple[Part, ...]
    kept: tuple[Part, ...]
    steps: tuple[DepartureStep, ...]


def departure(plan: ClusterPlan, team: Team, environment: str, catalog: Catalog) -> Departure:
    """``environment`` is the argument that commands name it by."""
    found = (scheduler.team_departure(plan, team, catalog, environment) for scheduler in schedulers_of(plan))
    clusters = [each for each in found if each is not None]
    removed = (*(part for each in clusters for part in each.removed), *_budget(team))
    kept = (
        *(part for each in clusters for part in each.objects),
        *_prefixes(team),
        *(part for each in clusters for part in each.files),
        *_kept_homes(plan, team),
        *(part for each in clusters for part in each.kept),
        *_kept_groups(plan, team),
    )
    return Departure(plan.name, team.name, removed, kept, tuple(_steps(plan, team, environment, clusters)))


def _budget(team: Team) -> Iterator[Part]:
    if team.budget is not None:
        yield Part("budget", team.budget.name, "no notification of its cost any more")


def _prefixes(team: Team) -> Iterator[Part]:
    for prefix in team.prefixes:
        yield Part("prefix of the checkpoint bucket", prefix, "all objects and versions")


def _kept_homes(plan: ClusterPlan, team: Team) -> Iterator[Part]:
    for home in _homes(plan, team):
        yield Part("home of a workstation", home, "all files; it stays mounted")


def _homes(plan: ClusterPlan, team: Team) -> tuple[str, ...]:
    """Returns the homes that the workstations of the team mount."""
    return tuple(each.home for each in plan.workstations if each.team == team.name and each.home is not None)


def _kept_groups(plan: ClusterPlan, team: Team) -> Iterator[Part]:
    for group in plan.compute_groups:
        if group.team == team.name:
            yield Part(group.noun, group.name, "its key `team` still names the team")


def _steps(
    plan: ClusterPlan, team: Team, environment: str, clusters: Sequence[TeamDeparture]
) -> Iterator[DepartureStep]:
    yield from (step for each in clusters for step in each.before)
    yield DepartureStep(
        f"Remove the team {team.name} from `teams` of the file, look at the effect, and deploy.",
        (f"neuron-cluster diff {environment}", f"neuron-cluster deploy {environment}"),
    )
    yield from (step for each in clusters for step in each.after)
    yield from _home_steps(plan, team, environment)


def _home_steps(plan: ClusterPlan, team: Team, environment: str) -> Iterator[DepartureStep]:
    """`destroy --home` stops while the file has the home or a deployed workstation mounts it."""
    homes = _homes(plan, team)
    if not homes:
        return
    deploy = f"neuron-cluster deploy {environment}"
    yield DepartureStep(
        f"Remove the workstations of people who leave too, or their key `home` ({listed(homes)}), and deploy.",
        (deploy,),
    )
    delete = f"neuron-cluster destroy {environment} --delete-data {plan.name} --home"
    yield DepartureStep(
        "Remove their homes from `storage.homes`, delete the volumes, and deploy.",
        (*(f"{delete} {home}" for home in homes), deploy),
        deletes_data=True,
    )
