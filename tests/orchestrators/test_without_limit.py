"""A group whose workloads decide how many machines there are has no maximum: whatever counts machines says so."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from neuron_cluster.capacity.group_query import QueryTime, group_queries
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cost.environment_cost import environment_cost, monthly
from neuron_cluster.cost.model import Scenario, Section, Sum
from neuron_cluster.pipeline import Checked, check_environment
from neuron_cluster.plan.address_plan import NodeAddresses, Purpose
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_groups_plan import ComputeGroupsPlan
from neuron_cluster.plan.group_addresses import need_of_nodes
from neuron_cluster.plan.scale import build_scale
from neuron_cluster.planning.build_addresses import build_addresses
from neuron_cluster.planning.build_vcpu_use import build_vcpu_use
from neuron_cluster.report.plan_page import plan_as_data, plan_tables
from neuron_cluster.report.price import price_of, price_sentence
from neuron_cluster.resolved.scaling import Scaling, ScalingKind
from neuron_cluster.rules.base import Needs, RuleContext
from neuron_cluster.rules.discover import rules_of

ON_DEMAND = Scaling(ScalingKind.ON_DEMAND, 0, 2, None)


@pytest.fixture
def checked(environment: Path) -> Checked:
    return check_environment(environment)


@pytest.fixture
def plan(checked: Checked) -> ClusterPlan:
    plan = checked.require_plan()
    part = plan.provider(ComputeGroupsPlan)
    assert part is not None
    unlimited = replace(part, groups=tuple(replace(group, scaling=ON_DEMAND) for group in part.groups))
    return replace(plan, providers=(unlimited,))


def rows(plan: ClusterPlan) -> Iterator[tuple[str, ...]]:
    for table in plan_tables(plan, load_catalog(), frozenset(), 200):
        yield from table.rows


def test_rules_of_the_file_ask_for_no_maximum(checked: Checked) -> None:
    resolved = checked.require_resolved()
    groups = tuple(replace(group, scaling=ON_DEMAND) for group in resolved.compute_groups)
    unlimited = replace(resolved, compute_groups=groups)
    contexts = [RuleContext(environment=each, catalog=load_catalog()) for each in (unlimited, resolved)]
    for rule in rules_of(Needs.FILE):
        without, limited = ([*rule.check(context)] for context in contexts)
        assert without == limited, rule.id


def test_rules_of_the_plan_ask_for_no_maximum(checked: Checked, plan: ClusterPlan) -> None:
    context = RuleContext(environment=checked.require_resolved(), catalog=load_catalog(), given_plan=plan)
    for rule in rules_of(Needs.PLAN):
        assert list(rule.check(context)) == [], rule.id


def test_addresses_are_a_lower_bound(plan: ClusterPlan) -> None:
    found = build_addresses(plan.network, plan.providers, plan.storage, (), load_catalog())
    needs = [need for subnet in found for need in subnet.needs if need.purpose is Purpose.NODES]
    assert [(need.count, need.is_least) for need in needs] == [(2, True)]


def test_addresses_of_nodes_with_pods_are_a_lower_bound(plan: ClusterPlan) -> None:
    (group,) = plan.cluster_groups
    counted = NodeAddresses(
        pods=10,
        pods_without_prefixes=10,
        pods_with_prefixes=30,
        interfaces=1,
        single=1,
        prefixes=2,
        addresses=33,
    )
    need = need_of_nodes(group, counted)
    assert (need.count, need.is_least, need.blocks) == (2, True, 4)


def test_limits_are_a_lower_bound(plan: ClusterPlan) -> None:
    used = {use.name: (use.used, use.is_least) for use in build_scale(plan, load_catalog())}
    assert used["network_interfaces_per_region"] == (2 * 8, True)
    assert used["ebs_gp3_storage_per_region"][1] is True
    assert used["placement_groups_per_region"] == (1, False)


def test_there_is_no_price_at_the_maximum(plan: ClusterPlan) -> None:
    price = price_of(plan, load_catalog())
    assert (price.desired_usd, price.max_usd) == (43.0, None)
    assert "not known with every group at its maximum" in price_sentence(price)


def test_there_is_no_cost_at_the_maximum(plan: ClusterPlan) -> None:
    cost = environment_cost(plan, load_catalog(), date(2026, 11, 27))
    instances = [line for line in cost.lines if line.section is Section.INSTANCES]
    # 2 x 21.50 x 730 h
    assert [monthly(instances, each) for each in Scenario] == [Sum(0, 0), Sum(31_390.0, 31_390.0), Sum(None, None)]
    total = monthly(cost.lines, Scenario.MAXIMUM)
    assert total.exact is None
    assert total.at_least
    assert "control-plane" not in {line.name for line in cost.lines}


def test_the_plan_says_that_there_is_no_limit(plan: ClusterPlan) -> None:
    assert ("count min/desired/max", "0 / 2 / no limit") in {row[:2] for row in rows(plan)}
    (group,) = plan_as_data(plan, load_catalog())["plan"]["auto_scaling"]["groups"]
    assert group["scaling"]["maximum"] is None


def test_quotas_and_blocks_are_asked_for_what_is_known(plan: ClusterPlan) -> None:
    (use,) = build_vcpu_use(plan, load_catalog())
    assert use.maximum == 2 * 128
    assert group_queries(plan, QueryTime(date(2026, 11, 1), 24), load_catalog()) == []
