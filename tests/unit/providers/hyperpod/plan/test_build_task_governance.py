"""Compute quotas for the quotas of teams: amounts by instance type, limits of borrowing, and strategies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.team import TeamQuota
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.providers.hyperpod.config.task_governance import TaskGovernance
from neuron_cluster.providers.hyperpod.plan.build_task_governance import ADDON, sharing_strategy
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan
from neuron_cluster.providers.hyperpod.plan.task_governance_plan import ComputeQuotaPlan, TaskGovernancePlan

CATALOG = load_catalog()
NAME = "hyperpod-teams"
TYPE = "ml.trn1.32xlarge"
QUOTA = "teams.0.quota.0"
WEIGHT = CATALOG.limits["scheduler_weight"].require_maximum()
CLASSES = CATALOG.limits["scheduler_priority_classes"].require_maximum()
ALIKE = {"name": "more", "instance_type": TYPE, "count": {"desired": 2}}

PlanOf = Callable[..., ClusterPlan]


def governance(plan: ClusterPlan) -> TaskGovernancePlan:
    hyperpod = plan.provider(HyperPodPlan)
    assert hyperpod is not None
    assert hyperpod.task_governance is not None
    return hyperpod.task_governance


def cluster_of(plan: ClusterPlan) -> KubernetesPlan:
    assert plan.kubernetes is not None
    return plan.kubernetes


def quota_of(plan_of: PlanOf, edits: dict[str, Any] | None = None, team: int = 0) -> ComputeQuotaPlan:
    return governance(plan_of(NAME, edits)).quotas[team]


def test_whole_instances_are_counted_and_parts_are_accelerators(plan_of: PlanOf) -> None:
    research, serving = governance(plan_of(NAME)).quotas
    assert [(each.instance_type, each.instances, each.devices) for each in research.resources] == [(TYPE, 2, 32)]
    assert [(each.instance_type, each.instances, each.devices) for each in serving.resources] == [(TYPE, None, 24)]
    assert (research.name, research.team, research.weight) == (f"{NAME}-research", "research", 2)


def test_groups_of_one_type_are_added_together(plan_of: PlanOf) -> None:
    edits = {"hyperpod.groups.1": ALIKE, "teams.0.quota.1": {"node_group": "more", "devices": 16, "borrow": 16}}
    quota = quota_of(plan_of, edits)
    assert [(each.instances, each.devices) for each in quota.resources] == [(3, 48)]
    assert [each.devices for each in quota.borrows] == [32], "16 of each group"


@pytest.mark.parametrize(
    ("edits", "borrows"),
    [
        ({}, [16]),
        ({f"{QUOTA}.borrow": None}, [32]),
        ({f"{QUOTA}.borrow": 64}, [32]),
        ({f"{QUOTA}.borrow": 0}, []),
        ({f"{QUOTA}.borrow": 0, f"{QUOTA}.lend": 0}, []),
    ],
    ids=["as in the file", "no limit is all others", "at most all others", "lends alone", "shares nothing"],
)
def test_a_team_borrows_what_the_file_allows_and_others_have(
    plan_of: PlanOf, edits: dict[str, Any], borrows: list[int]
) -> None:
    assert [each.devices for each in quota_of(plan_of, edits).borrows] == borrows


@pytest.mark.parametrize(
    ("quotas", "strategy"),
    [
        ([{}], "LendAndBorrow"),
        ([{"lend": 32}], "LendAndBorrow"),
        ([{"borrow": 0}], "Lend"),
        ([{"lend": 0, "borrow": 0}], "DontLend"),
        ([{"lend": 0}], None),
        ([{"lend": 8}], None),
        ([{}, {"lend": 0}], None),
        ([{"borrow": 0}, {"borrow": 8}], "LendAndBorrow"),
    ],
)
def test_a_team_has_one_strategy_or_none(quotas: list[dict[str, Any]], strategy: str | None) -> None:
    given = [TeamQuota(node_group=f"g{number}", devices=32, **quota) for number, quota in enumerate(quotas)]
    assert sharing_strategy(given) == strategy


def test_the_addon_has_the_version_of_the_catalog_without_a_lock(plan_of: PlanOf) -> None:
    row = CATALOG.managed_addons.get(ADDON)
    assert row is not None
    assert row.pinned_version
    plan = plan_of(NAME)
    assert governance(plan).addon.version == row.pinned_version
    hyperpod = plan.provider(HyperPodPlan)
    assert hyperpod is not None
    assert ADDON in hyperpod.lock_inputs(CATALOG).addons, "a lock pins another one"


def test_namespaces_of_teams_have_one_queue_each_and_others_have_none(plan_of: PlanOf) -> None:
    cluster = cluster_of(plan_of(NAME))
    research, serving = (f"hyperpod-ns-{team}-localqueue" for team in ("research", "serving"))
    assert list(cluster.queues) == [research, serving]
    (group,) = cluster.queues[research]
    assert cluster.queue_of(group, "hyperpod-ns-research") == research
    assert cluster.queue_of(group, "default") is None
    may_use = {each.name: [queue for queue in cluster.queues if each.may_use(queue)] for each in cluster.namespaces}
    assert may_use == {"default": [], "hyperpod-ns-research": [research], "hyperpod-ns-serving": [serving]}


def test_the_queue_of_a_team_has_only_groups_of_the_types_of_its_quota(plan_of: PlanOf) -> None:
    other = {"name": "other", "instance_type": "ml.trn1n.32xlarge", "count": {"desired": 1}}
    cluster = cluster_of(plan_of(NAME, {"hyperpod.groups.1": ALIKE, "hyperpod.groups.2": other}))
    assert [group.name for group in cluster.queues["hyperpod-ns-research-localqueue"]] == ["trn1", "more"]


def test_no_kueue_and_no_queue_of_the_toolkit_is_planned(plan_of: PlanOf) -> None:
    cluster = cluster_of(plan_of(NAME))
    assert "kueue" not in {chart.chart for chart in cluster.charts}
    kinds = {body["kind"] for manifest in cluster.manifests for body in manifest.objects}
    assert {"ClusterQueue", "LocalQueue", "ResourceFlavor", "WorkloadPriorityClass"}.isdisjoint(kinds)


def test_names_of_jobs_priority_classes_end_in_priority(plan_of: PlanOf) -> None:
    found = [(each.name, each.weight) for each in governance(plan_of(NAME)).job_priorities()]
    assert found == [("inference-priority", 100), ("training-priority", 75)]


@pytest.mark.parametrize(
    ("classes", "is_accepted"),
    [
        ([{"name": "a", "weight": WEIGHT}], True),
        ([{"name": "a", "weight": WEIGHT + 1}], False),
        ([{"name": f"c{number}", "weight": number} for number in range(CLASSES)], True),
        ([{"name": f"c{number}", "weight": number} for number in range(CLASSES + 1)], False),
    ],
    ids=["largest weight", "larger weight", "as many classes", "more classes"],
)
def test_limits_of_the_model_are_those_of_the_catalog(classes: list[dict[str, Any]], *, is_accepted: bool) -> None:
    try:
        TaskGovernance.model_validate({"priority_classes": classes})
    except ValidationError:
        assert not is_accepted
    else:
        assert is_accepted
