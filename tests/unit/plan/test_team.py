"""Teams are what groups and workstations name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.team import Team, team_tags


@pytest.fixture
def plan(plan_of: Callable[..., ClusterPlan]) -> ClusterPlan:
    return plan_of("train-trn1")


def with_teams(plan: ClusterPlan, *teams: tuple[str | None, str | None]) -> ClusterPlan:
    """The plan with one group for each pair of team and queue."""
    assert plan.kubernetes is not None
    group = plan.kubernetes.node_groups[0]
    groups = tuple(replace(group, team=team, queue=queue) for team, queue in teams)
    return replace(plan, providers=(replace(plan.kubernetes, node_groups=groups),))


def test_groups_that_name_no_team_have_none(plan: ClusterPlan) -> None:
    assert with_teams(plan, (None, "training")).teams == ()


def test_a_team_has_the_queue_of_its_groups_and_none_where_they_serve_several(plan: ClusterPlan) -> None:
    found = with_teams(plan, ("red", "training"), ("blue", "a"), ("red", None), ("blue", "b"), ("green", None))
    assert found.teams == (Team("red", queue="training"), Team("blue"), Team("green"))


def test_a_workstation_alone_makes_a_team(plan_of: Callable[..., ClusterPlan]) -> None:
    plan = plan_of("workstation")
    named = replace(plan, workstations=tuple(replace(each, team="red") for each in plan.workstations))
    assert [team.name for team in named.teams] == ["red"]


def test_the_tag_is_a_contract_of_cost_reports() -> None:
    assert team_tags("red") == {"neuron-cluster:team": "red"}
    assert team_tags(None) == {}
