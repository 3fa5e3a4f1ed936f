"""kube-prometheus-stack keeps its metrics, reaches someone, and watches the other components."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import yaml

from neuron_cluster.catalog.catalog import load_catalog
from tests.charts.object_schemas import errors
from tests.five_teams import team, with_teams

PlanOf = Callable[..., Any]
TOPIC = "arn:aws:sns:us-west-2:111122223333:on-call"
ON: Mapping[str, Any] = {"observability": {"metrics": "prometheus"}}
EVERYTHING = {
    **ON,
    "eks.addons": {"jobset": True, "keda": True, "leader_worker_set": True},
    "eks.node_groups.1.queue": "training",
}


def cluster_of(plan_of: PlanOf, edits: Mapping[str, Any]) -> Any:
    return plan_of("train-trn1", edits).kubernetes


def chart_of(cluster: Any, name: str) -> Any:
    return next(each for each in cluster.charts if each.chart == name)


def alerts_of(cluster: Any) -> dict[str, Mapping[str, Any]]:
    """Returns the alerts by name."""
    rules = [each for manifest in cluster.manifests for each in manifest.objects if each["kind"] == "PrometheusRule"]
    return {rule["alert"]: rule for each in rules for group in each["spec"]["groups"] for rule in group["rules"]}


def test_metrics_and_silences_are_on_encrypted_volumes_of_the_toolkits_class(plan_of: PlanOf) -> None:
    cluster = cluster_of(plan_of, ON)
    assert "aws-ebs-csi-driver" in {addon.name for addon in cluster.addons}
    values = chart_of(cluster, "kube-prometheus-stack").values
    spec = values["prometheus"]["prometheusSpec"]
    claims = [spec["storageSpec"], values["alertmanager"]["alertmanagerSpec"]["storage"]]
    names = {each["volumeClaimTemplate"]["spec"]["storageClassName"] for each in claims}
    (made,) = (each for manifest in cluster.manifests for each in manifest.objects if each["kind"] == "StorageClass")
    assert names == {made["metadata"]["name"]}
    assert made["parameters"] == {"type": "gp3", "encrypted": "true"}
    size = spec["storageSpec"]["volumeClaimTemplate"]["spec"]["resources"]["requests"]["storage"]
    assert int(spec["retentionSize"].removesuffix("GB")) < int(size.removesuffix("Gi"))
    assert errors(made, "1.35") == []


def test_a_file_without_the_driver_has_no_claims_and_ones_own_storage_is_kept(plan_of: PlanOf) -> None:
    without = cluster_of(plan_of, {**ON, "eks.addons": {"ebs_csi_driver": False}})
    assert "storageSpec" not in chart_of(without, "kube-prometheus-stack").values["prometheus"]["prometheusSpec"]
    assert not [m for m in without.manifests if m.name.startswith("StorageClass")]
    own = {"prometheus": {"prometheusSpec": {"retention": "30d"}}}
    kept = cluster_of(plan_of, {**ON, "eks.chart_values": {"kube-prometheus-stack": own}})
    spec = chart_of(kept, "kube-prometheus-stack").values["prometheus"]["prometheusSpec"]
    assert (spec["retention"], spec["retentionSize"]) == ("30d", "40GB")


def test_alerts_reach_the_topic_with_a_role_that_may_publish_to_it_alone(plan_of: PlanOf) -> None:
    chart = chart_of(
        cluster_of(plan_of, {"observability": {"metrics": "prometheus", "alarm_topic_arn": TOPIC}}),
        "kube-prometheus-stack",
    )
    config = chart.values["alertmanager"]["config"]
    receivers = {each["name"]: each for each in config["receivers"]}
    (sns,) = receivers[config["route"]["receiver"]]["sns_configs"]
    assert (sns["topic_arn"], sns["sigv4"]) == (TOPIC, {"region": "us-west-2"})
    assert {route["receiver"] for route in config["route"]["routes"]} <= set(receivers)
    (role,) = chart.pod_roles
    assert (role.namespace, role.service_account) == ("monitoring", "kube-prometheus-stack-alertmanager")
    assert [(each.actions, each.resources) for each in role.statements] == [(("sns:Publish",), (TOPIC,))]


def test_without_a_topic_the_configuration_of_the_chart_stays(plan_of: PlanOf) -> None:
    chart = chart_of(cluster_of(plan_of, ON), "kube-prometheus-stack")
    assert "config" not in chart.values["alertmanager"]
    assert chart.pod_roles == ()


def test_every_component_with_metrics_has_a_monitor_after_the_kind_of_monitors(plan_of: PlanOf) -> None:
    cluster = cluster_of(plan_of, EVERYTHING)
    assert chart_of(cluster, "kueue").values["enablePrometheus"] is True
    assert chart_of(cluster, "jobset").values["prometheus"] == {"enable": True}
    assert chart_of(cluster, "lws").values["enablePrometheus"] is True
    assert chart_of(cluster, "keda").values["prometheus"]["operator"]["serviceMonitor"] == {"enabled": True}
    for name in ("kueue", "jobset", "lws", "keda"):
        assert "kube-prometheus-stack" in chart_of(cluster, name).needs


def test_none_has_one_without_prometheus(plan_of: PlanOf) -> None:
    cluster = cluster_of(plan_of, {"eks.addons": {"jobset": True, "keda": True}})
    assert chart_of(cluster, "jobset").values["prometheus"] == {"enable": False}
    assert "prometheus" not in chart_of(cluster, "keda").values


METRICS = {
    "kube_pod_status_unschedulable": {"namespace", "pod"},
    "kube_node_status_condition": {"node", "condition", "status"},
    "vllm:num_requests_running": {"namespace", "pod", "model_name"},
    "vllm:num_requests_waiting": {"namespace", "pod", "model_name"},
    "vllm:generation_tokens_total": {"namespace", "pod", "model_name"},
    "up": {"namespace"},
    "kueue_evicted_workloads_total": {"cluster_queue", "reason"},
    "kube_jobset_restarts": {"namespace", "jobset"},
    "kube_jobset_terminal_state": {"namespace", "jobset", "state"},
}
"""Metrics of alerts, with labels: kube-state-metrics (docs/metrics), vllm-project/vllm (docs/usage/metrics.md),
kubernetes-sigs/kueue (site/content/en/docs/reference/metrics.md), ``job_set_metrics``."""
BORN_WITH_AN_EVENT = {"kueue_evicted_workloads_total", "jobset_failed_total"}
"""Counters whose series begins at 1 with the first event: ``increase`` and ``rate`` do not see it."""
PROMQL = {"sum", "max", "by", "and", "or", "unless", "offset", "absent", "rate", "delta", "increase"}


def names_in(expression: str) -> set[str]:
    """Metrics of an expression."""
    bare = re.sub(r"\{[^}]*\}|\[[^]]*\]|by \([^)]*\)|offset [0-9]+[mh]", "", expression)
    return set(re.findall(r"[a-z][a-z0-9_:]*", bare)) - PROMQL


def test_alerts_read_metrics_that_exist_with_labels_that_they_have(plan_of: PlanOf) -> None:
    for name, rule in alerts_of(cluster_of(plan_of, EVERYTHING)).items():
        metrics = names_in(rule["expr"])
        assert metrics <= METRICS.keys(), name
        labels = set.intersection(*(METRICS[each] for each in metrics))
        for group in re.findall(r"by \(([^)]*)\)", rule["expr"]):
            assert set(group.split(", ")) <= labels, name
        assert set(re.findall(r"\$labels\.([a-z_]+)", rule["annotations"]["summary"])) <= labels, name
        for each in metrics & BORN_WITH_AN_EVENT:
            assert not re.search(rf"(increase|rate|delta)\({each}", rule["expr"]), name


def test_there_are_alerts_on_queues_jobs_and_servers_in_a_valid_rule(plan_of: PlanOf) -> None:
    cluster = cluster_of(plan_of, EVERYTHING)
    assert set(alerts_of(cluster)) == {
        "NeuronNodeUnhealthy",
        "PodUnschedulable", "ServerHangs", "ServerQueueLong", "KueueDown", "KueueEvictsAgain", "JobSetRestarts",
        "JobSetFailed",
    }  # fmt: skip
    rules = [m for m in cluster.manifests if m.name.startswith("PrometheusRule")]
    assert [error for rule in rules for body in rule.objects for error in errors(body, "1.35")] == []
    assert all(rule.needs == ("kube-prometheus-stack",) for rule in rules)


@pytest.mark.parametrize(("flag", "prefix"), [("jobset", "JobSet"), ("kueue", "Kueue")])
def test_alerts_of_what_is_not_there_are_left_out(flag: str, prefix: str, plan_of: PlanOf) -> None:
    cluster = cluster_of(plan_of, {**ON, "eks.addons": {flag: False}})
    assert not [name for name in alerts_of(cluster) if name.startswith(prefix)]


def test_restarts_of_job_sets_are_read_from_their_status_by_a_role_that_may(plan_of: PlanOf) -> None:
    values = chart_of(cluster_of(plan_of, EVERYTHING), "kube-prometheus-stack").values["kube-state-metrics"]
    (resource,) = values["customResourceState"]["config"]["spec"]["resources"]
    published = {f"{resource['metricNamePrefix']}_{metric['name']}": metric["each"] for metric in resource["metrics"]}
    alerts = alerts_of(cluster_of(plan_of, EVERYTHING))
    assert "kube_jobset_restarts" in published.keys() & names_in(alerts["JobSetRestarts"]["expr"])
    assert alerts["JobSetFailed"]["expr"] == 'kube_jobset_terminal_state{state="Failed"} == 1'
    states = published["kube_jobset_terminal_state"]["stateSet"]
    assert (states["path"], states["labelName"], "Failed" in states["list"]) == (
        ["status", "terminalState"], "state", True,
    )  # fmt: skip
    (rule,) = values["rbac"]["extraRules"]
    assert (rule["apiGroups"], rule["resources"]) == ([resource["groupVersionKind"]["group"]], ["jobsets"])


def test_a_failed_device_is_told_by_the_condition_of_either_watcher(plan_of: PlanOf) -> None:
    """Its job ends with it, so that counters of neuron-monitor may never rise."""
    rule = alerts_of(cluster_of(plan_of, EVERYTHING))["NeuronNodeUnhealthy"]
    (condition,) = {row.condition for row in load_catalog().node_repairs if row.name.startswith("Neuron")}
    assert f'condition="{condition}", status="false"' in rule["expr"]
    assert 'condition="NeuronHealth", status="true"' in rule["expr"]
    assert rule["labels"] == {"severity": "critical"}


def test_prometheus_reads_the_servers_of_each_team(plan_of: PlanOf) -> None:
    """The toolkit has a PodMonitor, and a network policy for the port that it names."""
    cluster = cluster_of(plan_of, {**ON, **with_teams([team("research"), team("speech")])})
    monitors = [each for made in cluster.manifests for each in made.objects if each["kind"] == "PodMonitor"]
    assert [each["spec"]["namespaceSelector"]["matchNames"] for each in monitors] == [["research"], ["speech"]]
    policies = {
        each["metadata"]["namespace"]: each
        for made in cluster.team_manifests
        for each in made.objects
        if each["metadata"]["name"] == "metrics-of-servers"
    }
    for monitor, policy in zip(monitors, (policies["research"], policies["speech"]), strict=True):
        (rule,) = policy["spec"]["ingress"]
        assert policy["spec"]["podSelector"] == monitor["spec"]["selector"]
        assert [each["port"] for each in rule["ports"]] == [monitor["spec"]["podMetricsEndpoints"][0]["port"]]
        assert rule["from"][0]["namespaceSelector"]["matchLabels"] == {
            "kubernetes.io/metadata.name": monitor["metadata"]["namespace"]
        }
        assert errors(monitor, "1.35") == errors(policy, "1.35") == []


def test_without_prometheus_no_policy_admits_it(plan_of: PlanOf) -> None:
    cluster = cluster_of(plan_of, with_teams([team("research")]))
    names = {each["metadata"]["name"] for made in cluster.team_manifests for each in made.objects}
    assert "metrics-of-servers" not in names


def test_kueue_has_the_concurrency_of_the_configuration_of_its_chart(plan_of: PlanOf) -> None:
    """kubernetes-sigs/kueue@8eab687 (v0.19.2), charts/kueue/values.yaml. Kueue's default without it is one."""
    values = chart_of(cluster_of(plan_of, EVERYTHING), "kueue").values
    configuration = yaml.safe_load(values["managerConfig"]["controllerManagerConfigYaml"])
    assert configuration["controller"]["groupKindConcurrency"] == {
        "Job.batch": 5, "Pod": 5, "Workload.kueue.x-k8s.io": 10, "LocalQueue.kueue.x-k8s.io": 5,
        "ClusterQueue.kueue.x-k8s.io": 5, "ResourceFlavor.kueue.x-k8s.io": 1,
    }  # fmt: skip
