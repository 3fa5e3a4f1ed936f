"""Teams in the plan, and what their members may do in Kubernetes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cli.rich_table import table_text
from neuron_cluster.report.access_page import kubernetes_access_as_data, kubernetes_access_tables
from neuron_cluster.report.plan_page import plan_tables
from neuron_cluster.table import Table
from tests.five_teams import NAMES, team, with_teams

PlanOf = Callable[..., Any]
LIMITED = {"node_group": "trn1", "devices": 40, "borrow": 20, "lend": 10}


def teams_table(plan: Any, catalog: Catalog, width: int = 200) -> Table:
    (table,) = [each for each in plan_tables(plan, catalog, set(), width) if each.title == "Teams"]
    return table


@pytest.fixture
def plan(plan_of: PlanOf) -> Any:
    """At half of the nodes."""
    teams = [
        team("research", quota=[LIMITED], weight=2),
        team("product", members=[], quota=[]),
        team("speech", namespaces=[{"name": "speech"}, {"name": "speech-test"}]),
    ]
    return plan_of("train-trn1", with_teams(teams, **{"eks.node_groups.1.count": {"min": 0, "desired": 8, "max": 16}}))


def test_a_row_has_members_and_quota_at_the_maximum_and_now(plan: Any, catalog: Catalog) -> None:
    rows = {row[0]: row[1:] for row in teams_table(plan, catalog).rows}
    assert rows["research"] == ("research", "research", "40 trn1", "20", "20", "10", "2 *")
    assert rows["product"] == ("none", "product", "0 *", "0", "any", "-", "1 *")
    assert rows["speech"][1:4] == ("speech\nspeech-test", "32 trn1", "16")
    assert rows["speech"][4:6] == ("any *", "all *")


def test_there_is_no_table_without_teams(plan_of: PlanOf, catalog: Catalog) -> None:
    assert "Teams" not in [each.title for each in plan_tables(plan_of("train-trn1"), catalog, set(), 80)]


@pytest.mark.parametrize("width", [80, 200])
def test_tables_fit(plan: Any, catalog: Catalog, width: int) -> None:
    for table in (teams_table(plan, catalog, width), *kubernetes_access_tables(plan.kubernetes.kubernetes_access())):
        text = table_text(table, width, colour=False)
        assert max(map(len, text.splitlines())) <= width
        for word in ("research", *table.columns):
            assert word in text, "no name is broken over two lines"


def test_what_admins_viewers_and_teams_may_do_in_kubernetes(plan_of: PlanOf) -> None:
    reader = "arn:aws:iam::111122223333:role/reader"
    plan = plan_of("train-trn1", with_teams(**{"eks.access.viewers": [reader]}))
    admins, viewers, *teams = kubernetes_access_as_data(plan.kubernetes.kubernetes_access())
    assert (admins["granted_by"], admins["namespaces"]) == ("AmazonEKSClusterAdminPolicy", None)
    assert (viewers["granted_by"], viewers["principals"]) == ("AmazonEKSViewPolicy", [reader])
    assert [(each["team"], each["namespaces"]) for each in teams] == [(name, [name]) for name in NAMES]
    (writes_jobs,) = [each["verbs"] for each in teams[0]["rules"] if "jobsets.jobset.x-k8s.io" in each["resources"]]
    assert "create" in writes_jobs
    (sees_quotas,) = [each["verbs"] for each in teams[0]["rules"] if "resourcequotas" in each["resources"]]
    assert sees_quotas == ["get", "list", "watch"]
    assert teams[0]["granted_by"] == "Role neuron-cluster-team"


def test_operators_have_a_row_with_the_rules_of_both_roles(plan_of: PlanOf) -> None:
    arn = "arn:aws:iam::111122223333:role/research-operators"
    plan = plan_of("train-trn1", with_teams([team("research", operators=[arn]), team("product")]))
    _, members, operators, product = kubernetes_access_as_data(plan.kubernetes.kubernetes_access())
    assert (operators["team"], operators["principals"], operators["kind"]) == ("research", [arn], "operations")
    assert operators["granted_by"] == "Roles neuron-cluster-team, neuron-cluster-operators"
    assert operators["rules"][: len(members["rules"])] == members["rules"] == product["rules"]
    added = {
        resource: each["verbs"]
        for each in operators["rules"][len(members["rules"]) :]
        for resource in each["resources"]
    }
    assert added["localqueues.kueue.x-k8s.io"] == ["update", "patch"]
    for table in kubernetes_access_tables(plan.kubernetes.kubernetes_access()):
        assert max(map(len, table_text(table, 80, colour=False).splitlines())) <= 80
