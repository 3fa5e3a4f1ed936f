"""Teams, Neuron instances without a team, and the overhead: together every line, each once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.cost.environment_cost import EnvironmentCost, environment_cost, monthly
from neuron_cluster.cost.model import Scenario, Section
from neuron_cluster.cost.shares import Share, ShareKind, shares
from neuron_cluster.plan.cluster_plan import ClusterPlan

from .conftest import ON, CostOf
from .test_lines import BLOCK, ENVIRONMENTS

RESEARCH = {"eks.node_groups.1.team": "research"}


def share_of(cost: EnvironmentCost, kind: ShareKind) -> Share:
    [found] = [share for share in shares(cost) if share.kind is kind]
    return found


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_each_line_and_block_is_in_one_share(environment: str, cost_of: CostOf) -> None:
    cost = cost_of(environment)
    found = list(shares(cost))
    assert sorted(map(repr, (line for share in found for line in share.lines))) == sorted(map(repr, cost.lines))
    assert [block for share in found for block in share.blocks] == list(cost.blocks)
    assert all(not line.is_neuron for line in share_of(cost, ShareKind.OVERHEAD).lines)


def test_a_team_pays_for_its_instances_and_their_volumes(cost_of: CostOf) -> None:
    cost = cost_of("train-trn1", RESEARCH)
    [team, overhead] = shares(cost)
    assert (team.kind, team.name) == (ShareKind.TEAM, "research")
    assert {line.name for line in team.lines} == {"trn1"}
    # 251,120 for instances, 655.36 + 240 + 240 for their volumes
    assert monthly(team.lines, Scenario.DESIRED).exact == pytest.approx(252_255.36)
    assert monthly(team.lines, Scenario.IDLE).exact == 0
    assert monthly(overhead.lines, Scenario.IDLE).exact == pytest.approx(3_437.225, abs=0.01)


def test_the_home_of_a_workstation_is_its_team_s(cost_of: CostOf) -> None:
    cost = cost_of("workstation", {"workstations.0.team": "research"})
    [team] = [share for share in shares(cost) if share.kind is ShareKind.TEAM]
    assert {(line.section, line.name) for line in team.lines} == {
        (Section.INSTANCES, "alice"),
        (Section.VOLUMES, "alice"),
        (Section.VOLUMES, "home alice"),
    }


def test_the_block_of_a_team_is_in_its_share_alone(cost_of: CostOf) -> None:
    cost = cost_of("train-trn2", {**RESEARCH, "eks.node_groups.1.capacity": BLOCK})
    assert [block.group for block in share_of(cost, ShareKind.TEAM).blocks] == ["trn2"]
    assert share_of(cost, ShareKind.OVERHEAD).blocks == ()
    assert share_of(cost_of("train-trn2"), ShareKind.SHARED).blocks[0].group == "trn2"


def test_another_team_changes_no_line_of_the_first(plan_of: Callable[..., ClusterPlan], catalog: Any) -> None:
    alone = environment_cost(plan_of("train-trn1", RESEARCH), catalog, ON)
    both = environment_cost(plan_of("train-trn1", {**RESEARCH, "eks.node_groups.0.team": "platform"}), catalog, ON)
    [first] = [share for share in shares(both) if share.name == "research"]
    assert first == share_of(alone, ShareKind.TEAM)
