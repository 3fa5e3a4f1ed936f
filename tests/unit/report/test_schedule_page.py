"""The page of `schedule`: what runs where, with numbered reasons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from local_kubernetes.model.scheduling.evaluation import GroupResult, SchedulingResult
from local_kubernetes.model.scheduling.pod import PodInfo
from local_kubernetes.model.scheduling.reasons import UnschedulableReason
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.kubernetes_nodes import kubernetes_nodes
from neuron_cluster.report.schedule_page import (
    NARROW_COLUMNS,
    NARROWEST_COLUMNS,
    WIDE_COLUMNS,
    doubt_lines,
    nodes_table,
    not_evaluated,
    result_tables,
)

CATALOG = load_catalog()
TAINTED, SMALL = (
    UnschedulableReason("does not tolerate the taint", "taints", "toleration", "add it"),
    UnschedulableReason("it asks for too much", "instance_type", "amount", "ask for less"),
)


def on(group: str, *reasons: UnschedulableReason, at_max: int | None = None, **given: Any) -> GroupResult:
    return GroupResult(group, reasons, given.get("doubts", ()), given.get("is_required", False), at_max=at_max)


def result(workload: str, *groups: GroupResult, replicas: int | None = None, **requests: int) -> SchedulingResult:
    kind = workload.partition(" ")[0]
    pod = PodInfo(workload, kind, {}, (), (), {**requests, "pods": 1}, replicas, software="a-chart")
    return SchedulingResult(pod, groups, has_auto_mode=False)


def test_the_columns_are_those_that_there_is_room_for() -> None:
    short, long = result("DaemonSet x/agent", on("a")), result(f"Deployment x/{'long-name' * 5}", on("a"))
    assert result_tables([short], "", 80)[0].columns == NARROW_COLUMNS
    assert result_tables([short, long], "", 80)[0].columns == NARROWEST_COLUMNS
    assert result_tables([short, long], "", 200)[0].columns == WIDE_COLUMNS


def test_a_row_says_who_asks_for_what_and_where_it_runs() -> None:
    server = result("Deployment x/server", on("a", at_max=12), on("b", TAINTED), replicas=2, memory=2**30, cpu=1500)
    (table, _) = result_tables([server], "", 200)
    assert table.rows == (("x/server", "Deployment", "a-chart", "2 x 1.5 CPUs, 1 GiB", "a (12)", "b [1]"),)


def test_equal_reasons_share_a_number_and_a_missed_group_is_marked() -> None:
    agent = result("DaemonSet x/agent", on("a", TAINTED, is_required=True), on("b", TAINTED, SMALL))
    table, reasons = result_tables([agent], "", 80)
    assert table.rows == (("ds agent", "-", "nowhere", "!a [1]\nb [1][2]"),)
    assert reasons.rows == (("[1]", TAINTED.message), ("[2]", SMALL.message))


def test_what_runs_on_every_group_is_said_in_two_words_and_needs_no_reasons() -> None:
    (table,) = result_tables([result("DaemonSet x/agent", on("a"), on("b"))], "", 80)
    assert table.rows == (("ds agent", "-", "every group", "-"),)


def test_pods_that_ask_for_nothing_are_counted() -> None:
    (table,) = result_tables([result("Deployment x/two", on("a", at_max=3), replicas=2)], "", 80)
    assert table.rows[0][1] == "2 pods"


def test_a_doubt_is_shown_once_with_its_groups_and_not_where_the_pod_does_not_fit() -> None:
    doubt = ("cpu: no source says it",)
    evaluated = [result("Job x/a", on("a", doubts=doubt), on("b", doubts=doubt), on("c", SMALL, doubts=doubt))]
    assert doubt_lines([*evaluated, *evaluated]) == ["not known for a, b: cpu: no source says it"]


def test_nodes_show_estimates_and_what_is_not_known(plan_of: Callable[..., Any]) -> None:
    plan = plan_of("train-trn3")
    system, trn3 = nodes_table(plan, kubernetes_nodes(plan, CATALOG)).rows
    assert system == ("system", "m7i.xlarge", "3.9", "14 ?", "56", "-", "-", "-")
    assert trn3 == ("trn3", "trn3.48xlarge", "-", "-", "-", "16", "64", "16")


def test_software_that_nothing_is_recorded_of_is_named(plan_of: Callable[..., Any]) -> None:
    eks = plan_of("dev-inf2").kubernetes
    assert list(not_evaluated(eks, CATALOG)) == []
    strange = replace(eks, addons=(replace(eks.addons[0], name="adot"),))
    assert list(not_evaluated(strange, CATALOG)) == [
        "not evaluated, because the catalog does not record its pods: adot"
    ]
