"""Teams, Neuron instances without a team, and the overhead: together every line, each once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from neuron_cluster.cost.environment_cost import EnvironmentCost, environment_cost, monthly
from neuron_cluster.cost.model import CostLine, Scenario, Section
from neuron_cluster.cost.shares import Share, ShareKind, shares
from neuron_cluster.plan.cluster_plan import ClusterPlan
from tests.five_teams import NAMES, team, with_teams

from .conftest import ON, CostOf
from .test_lines import BLOCK, ENVIRONMENTS

RESEARCH = {"eks.node_groups.1.team": "research"}


def share_of(cost: EnvironmentCost, kind: ShareKind) -> Share:
    [found] = [share for share in shares(cost) if share.kind is kind]
    return found


def units_of(lines: Iterable[CostLine]) -> Mapping[tuple[Section, str, str, str], float]:
    """At ``count.desired``, by what is paid for: the parts of a line that is divided among teams together."""
    found: dict[tuple[Section, str, str, str], float] = defaultdict(float)
    for line in lines:
        found[line.section, line.name, line.what, line.unit] += line.quantities.desired or 0
    return found


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_each_line_and_block_is_in_one_share(environment: str, cost_of: CostOf) -> None:
    cost = cost_of(environment)
    found = list(shares(cost))
    lines = [line for share in found for line in share.lines]
    undivided = [line for line in cost.lines if not line.parts]
    assert sorted(map(repr, undivided)) == sorted(repr(line) for line in lines if line in undivided)
    assert units_of(lines) == {line: pytest.approx(units) for line, units in units_of(cost.lines).items()}
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
    assert monthly(overhead.lines, Scenario.IDLE).exact == pytest.approx(3_310.702, abs=0.01)


def test_a_team_pays_for_its_compute_node_groups(cost_of: CostOf) -> None:
    [team, overhead] = shares(cost_of("slurm-trn1", {"slurm.groups.0.team": "research"}))
    assert (team.kind, team.name) == (ShareKind.TEAM, "research")
    assert {line.name for line in team.lines} == {"trn1"}
    assert "login" in {line.name for line in overhead.lines}


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


def test_the_quota_of_a_team_is_its_part_of_the_instances_and_their_volumes(cost_of: CostOf) -> None:
    """Five teams with 32 of 256 devices each: an eighth of 16 instances; three eighths are left."""
    cost = cost_of("train-trn1", with_teams())
    found = {share.name: share for share in shares(cost)}
    assert list(found) == [*NAMES, "shared", "overhead"]
    for name in NAMES:
        # 32 devices x 21.50 / 16 USD x 730 h = 31,390; an eighth of 655.36 + 240 + 240 for volumes
        assert monthly(found[name].lines, Scenario.DESIRED).exact == pytest.approx(31_390 + 141.92)
        assert monthly(found[name].lines, Scenario.IDLE).exact == 0
    assert monthly(found["shared"].lines, Scenario.DESIRED).exact == pytest.approx(3 * (31_390 + 141.92))


def test_a_quota_is_scaled_to_the_instances_that_run_as_in_the_queues(cost_of: CostOf) -> None:
    """20 of 256 devices: at 3 of 16 nodes 3.75 of 48, rounded down to 3."""
    teams = [team("research", quota=[{"node_group": "trn1", "devices": 20}])]
    counts = {"min": 0, "desired": 3, "max": 16}
    cost = cost_of("train-trn1", with_teams(teams, **{"eks.node_groups.1.count": counts}))
    [instances] = [line for line in share_of(cost, ShareKind.TEAM).lines if line.section is Section.INSTANCES]
    assert instances.quantities.all == pytest.approx((0, 3 / 16, 20 / 16))


@pytest.mark.parametrize(
    "edits",
    [with_teams(), with_teams([team("research", quota=[{"node_group": "trn1", "devices": 7}]), team("product")])],
)
def test_the_shares_add_up_to_the_total(edits: dict[str, Any], cost_of: CostOf) -> None:
    cost = cost_of("train-trn1", edits)
    for scenario in Scenario:
        parts = [monthly(share.lines, scenario).exact for share in shares(cost)]
        assert None not in parts
        assert sum(filter(None, parts)) == pytest.approx(monthly(cost.lines, scenario).exact, abs=0.005)


def test_quotas_of_all_devices_leave_nothing(cost_of: CostOf) -> None:
    teams = [team(name, quota=[{"node_group": "trn1", "devices": 128}]) for name in NAMES[:2]]
    assert [share.name for share in shares(cost_of("train-trn1", with_teams(teams)))] == [*NAMES[:2], "overhead"]


def test_a_group_of_one_team_is_wholly_its_own_and_no_quota_divides_it(cost_of: CostOf) -> None:
    cost = cost_of("train-trn1", with_teams([team("research", quota=[])], **RESEARCH))
    assert all(line.parts == () for line in cost.lines)
    assert monthly(share_of(cost, ShareKind.TEAM).lines, Scenario.DESIRED).exact == pytest.approx(252_255.36)


def test_quotas_divide_a_block_by_the_devices_at_the_maximum(cost_of: CostOf) -> None:
    edits = {
        "region": "ap-south-2",
        "network.availability_zones": ["aps2-az3", "aps2-az1"],
        "storage": None,
        "eks.node_groups.1.availability_zone": "aps2-az3",
        "eks.node_groups.1.capacity": BLOCK,
        "eks.node_groups.1.queue": "training",
        "teams": [team("research", quota=[{"node_group": "trn2", "devices": 16}])],
    }
    cost = cost_of("train-trn2", edits)
    # 4 instances x 168 h x 35.76; 16 of 64 devices
    assert share_of(cost, ShareKind.TEAM).blocks_usd.exact == pytest.approx(6_007.68)
    assert share_of(cost, ShareKind.SHARED).blocks_usd.exact == pytest.approx(18_023.04)
    assert cost.blocks_usd.exact == pytest.approx(24_030.72)


def test_another_team_changes_no_line_of_the_first(plan_of: Callable[..., ClusterPlan], catalog: Any) -> None:
    alone = environment_cost(plan_of("train-trn1", RESEARCH), catalog, ON)
    both = environment_cost(plan_of("train-trn1", {**RESEARCH, "eks.node_groups.0.team": "platform"}), catalog, ON)
    [first] = [share for share in shares(both) if share.name == "research"]
    assert first == share_of(alone, ShareKind.TEAM)
