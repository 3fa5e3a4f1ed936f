"""The pods of the plan's software, with the values that it gets here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from local_kubernetes.model.scheduling.pod import PodInfo
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.software.recorded_pods import recorded_pods

CATALOG = load_catalog()


def pods_of(plan: ClusterPlan) -> dict[str, PodInfo]:
    return {pod.workload: pod for pod in recorded_pods(plan, CATALOG)}


def test_add_ons_and_charts_make_pods_each_with_its_software_and_need(plan_of: Callable[..., Any]) -> None:
    pods = pods_of(plan_of("train-trn1"))
    cni, dns = pods["DaemonSet kube-system/aws-node"], pods["Deployment kube-system/coredns"]
    assert (cni.software, cni.replicas) == ("vpc-cni", None)
    assert cni.required_on is not None
    assert cni.required_on.nodes == "every"
    assert (dns.replicas, dns.required_on) == (2, None)
    assert dns.requests == {"cpu": 100, "memory": 73400320, "pods": 1}


def test_values_change_what_was_recorded(plan_of: Callable[..., Any]) -> None:
    plugin = "DaemonSet kube-system/neuron-device-plugin"
    taint = {"key": "team", "effect": "no_execute"}
    edited = pods_of(plan_of("train-trn1", {"eks.node_groups.1.taints": [taint]}))[plugin]
    shipped = pods_of(plan_of("train-trn1"))[plugin]
    assert {each.key for each in edited.tolerations} - {each.key for each in shipped.tolerations} == {"team"}


def test_a_switch_decides_which_workloads_there_are(plan_of: Callable[..., Any]) -> None:
    pods = pods_of(plan_of("train-trn2u"))
    assert "DaemonSet neuron-dra-driver/neuron-dra-driver-kubelet-plugin" in pods
    assert "DaemonSet kube-system/neuron-device-plugin" not in pods


def test_charts_of_our_own_are_left_to_their_render(plan_of: Callable[..., Any]) -> None:
    plan = plan_of("train-trn1")
    own = replace(plan.kubernetes.charts[0], chart="neuron-monitor", folder="neuron-monitor", repository="", version="")
    assert pods_of(
        replace(plan, providers=(replace(plan.kubernetes, charts=(*plan.kubernetes.charts, own)),))
    ) == pods_of(plan)


def test_without_a_cluster_there_are_no_pods(plan_of: Callable[..., Any]) -> None:
    assert recorded_pods(plan_of("workstation"), CATALOG) == ()
