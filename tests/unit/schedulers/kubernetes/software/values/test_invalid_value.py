"""Values that a chart would ignore or misread are found, all at once."""

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.software.values.invalid_value import (
    InvalidValue,
    invalid_bundled_values,
    invalid_values,
)


def misfits(values: dict[str, Any], name: str = "jobset") -> list[InvalidValue]:
    row = load_catalog().charts.get(name)
    assert row is not None
    return list(invalid_values(row, values))


def test_values_that_fit_are_passed() -> None:
    assert misfits({"image": {"tag": "v1"}, "controller": {"replicas": 2, "resources": {"limits": {"cpu": 2}}}}) == []


@pytest.mark.parametrize(
    ("values", "path", "reason"),
    [
        ({"controler": {}}, "controler", "has no such key"),
        ({"controller": {"replica": 1}}, "controller.replica", "has no such key"),
        ({"controller": {"replicas": "1"}}, "controller.replicas", "the kind integer is needed; the text '1'"),
        ({"controller": {"replicas": True}}, "controller.replicas", "integer is needed; True"),
        ({"certManager": {"enable": "false"}}, "certManager.enable", "the text 'false'"),
        ({"controller": {"tolerations": {}}}, "controller.tolerations", "the kind list is needed"),
        ({"controller": None}, "controller", "leave the key out"),
        ({"controller": {"resources": {"limits": None}}}, "controller.resources.limits", "leave the key out"),
        ({"controller": {"tolerations": [{"key": None}]}}, "controller.tolerations.0.key", "leave the key out"),
        ({"controller": "on"}, "controller", "holds further keys"),
    ],
)
def test_each_kind_of_mistake_is_told_with_its_place(values: dict[str, Any], path: str, reason: str) -> None:
    (found,) = misfits(values)
    assert found.path == path
    assert reason in found.reason


def test_a_misspelt_key_is_answered_with_near_ones() -> None:
    (found,) = misfits({"controller": {"replica": 1}})
    assert found.near[0] == "controller.replicas"


def test_all_mistakes_are_told_in_one_run() -> None:
    assert [each.path for each in misfits({"imag": {}, "controller": {"replicas": "1", "hostnetwork": True}})] == [
        "imag",
        "controller.replicas",
        "controller.hostnetwork",
    ]


def test_the_name_that_a_chart_spells_in_two_ways_is_told_apart() -> None:
    """KEDA: the part is ``metricsServer``, its resources are ``resources.metricServer``."""
    assert misfits({"resources": {"metricServer": {}}, "metricsServer": {"replicaCount": 2}}, "keda") == []
    (found,) = misfits({"resources": {"metricsServer": {}}}, "keda")
    assert found.near[0] == "resources.metricServer"


@pytest.mark.parametrize(
    ("values", "path", "says"),
    [
        ({"alerts": {"enabled": "false"}}, "alerts.enabled", "Expected `bool`"),
        ({"alert": {}}, "alert", "unknown field"),
        ({"podMonitor": {"labels": {"a": None}}}, "podMonitor.labels", "Expected `str`"),
        ({"tolerations": [{"operator": "Exist"}]}, "tolerations.0.operator", "Invalid enum value"),
    ],
)
def test_what_the_model_of_a_chart_of_ours_cannot_read_is_found_at_its_key(
    values: dict[str, Any], path: str, says: str
) -> None:
    (misfit,) = invalid_bundled_values("neuron-monitor", values)
    assert misfit.path == path
    assert says in misfit.reason


def test_values_that_a_chart_of_ours_knows_are_no_misfits() -> None:
    assert list(invalid_bundled_values("neuron-monitor", {"alerts": {"executionErrors": 2}})) == []


@pytest.mark.parametrize(
    ("chart_name", "values", "path", "reason"),
    [
        ("kueue", {"controllerManager": {"replicas": 0}}, "controllerManager.replicas", "at least 1 is needed"),
        ("kueue", {"controllerManager": {"replicas": -1}}, "controllerManager.replicas", "at least 1 is needed"),
        ("keda", {"operator": {"replicaCount": -1}}, "operator.replicaCount", "at least 0 is needed; -1 was given"),
        ("jobset", {"image": {"tag": "latest"}}, "image.tag", "the text 'latest'"),
        ("keda", {"image": {"keda": {"tag": ""}}}, "image.keda.tag", "the text ''"),
        ("jobset", {"controller": {"resources": {"request": {}}}}, "controller.resources.request", "unknown field"),
        ("keda", {"resources": {"operator": {"limit": {}}}}, "resources.operator.limit", "unknown field"),
        (
            "jobset",
            {"controller": {"resources": {"limits": {"cpus": 1}}}},
            "controller.resources.limits.cpus",
            "not a resource of Kubernetes",
        ),
        (
            "jobset",
            {"controller": {"resources": {"requests": {"memory": "-1Gi"}}}},
            "controller.resources.requests.memory",
            "negative",
        ),
    ],
)
def test_what_is_of_the_right_kind_can_still_be_what_no_cluster_takes(
    chart_name: str, values: dict[str, Any], path: str, reason: str
) -> None:
    (found,) = misfits(values, chart_name)
    assert found.path == path
    assert reason in found.reason


def test_a_part_without_webhooks_may_be_scaled_to_nothing() -> None:
    assert misfits({"operator": {"replicaCount": 0}}, "keda") == []


NAME = "kubernetes.io/metadata.name"
MINDED = f"managedJobsNamespaceSelector: {{matchExpressions: [{{key: {NAME}, operator: In, values: [default, team]}}]}}"
COUNTED = """
integrations: {frameworks: [batch/job, kubeflow.org/pytorchjob]}
resources: {excludeResourcePrefixes: [cpu, memory, ephemeral-storage, hugepages-]}
"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{[", "line 1: a mapping or list where a key is expected"),
        ("a: {", "line 1: not YAML"),
        ("[" * 5000 + "]" * 5000, "line 1: "),
        ("a: !!timestamp x", "line 1: "),
        ("health: {}\nhealth: {}", "line 2: "),
        ("health: 2026-13-45", "Kueue cannot read it"),
        ("", "the file is empty"),
        (f"{MINDED}\nintegrations: {{frameworks: [nope]}}", "'nope' at integrations.frameworks.0"),
        (f"{MINDED}\nintegrations: {{frameworks: [batch/job]}}", "excludeResourcePrefixes lacks cpu"),
        (f"managedJobsNamespaceSelector: {{}}{COUNTED}", "selects kube-system and kueue-system"),
        (f"managedJobsNamespaceSelector: {{matchLabels: {{{NAME}: kube-system}}}}{COUNTED}", "selects kube-system:"),
        (f"{MINDED.replace('In,', 'NotIn,')}{COUNTED}", "selects kube-system and kueue-system"),
        (
            f"managedJobsNamespaceSelector: {{matchExpressions: [{{key: {NAME}, operator: Exists}}]}}{COUNTED}",
            "selects",
        ),
    ],
)
def test_the_configuration_of_kueue_is_one_that_it_can_read(text: str, reason: str) -> None:
    (found,) = misfits({"managerConfig": {"controllerManagerConfigYaml": text}}, "kueue")
    assert found.path == "managerConfig.controllerManagerConfigYaml"
    assert reason in found.reason


@pytest.mark.parametrize(
    "text",
    [
        f"{MINDED}{COUNTED}",
        f"managedJobsNamespaceSelector: {{matchLabels: {{team: red}}}}{COUNTED}",
        f"managedJobsNamespaceSelector: {{matchExpressions: [{{key: {NAME}, operator: DoesNotExist}}]}}{COUNTED}",
    ],
)
def test_a_configuration_of_kueue_that_counts_as_the_queues_do_is_passed(text: str) -> None:
    assert misfits({"managerConfig": {"controllerManagerConfigYaml": text}}, "kueue") == []


def test_our_own_configuration_of_kueue_is_passed(plan_of: Callable[[str], ClusterPlan]) -> None:
    """The one that a user takes from `plan --format json` to change a line of it."""
    eks = plan_of("train-trn2").kubernetes
    assert eks is not None
    (kueue,) = (chart for chart in eks.charts if chart.chart == "kueue")
    assert misfits({"managerConfig": dict(kueue.values["managerConfig"])}, "kueue") == []
