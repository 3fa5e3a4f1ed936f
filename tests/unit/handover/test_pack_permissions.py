"""Starter jobs and verbs held against what a member may do: Roles, quotas and admission policies of the plan."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from local_kubernetes.model.api_resources import is_cluster_scoped
from local_kubernetes.model.authorization import allows, resource_of_kind
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.running.cluster_state import RESOURCES
from neuron_cluster.schedulers.kubernetes.running.controller_kind import KINDS
from neuron_cluster.schedulers.kubernetes.software.team_roles import operator_role, role
from neuron_cluster.schedulers.kubernetes.team_pages.pack import KubernetesPack
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.quota_admission import objects_beyond_quotas
from tests.cel_admission import rejections
from tests.unit.handover.packs import objects_in

OF_CLUSTER = {"nodes", "clusterqueues"}
MEMBER = role("research")["rules"]
OPERATOR = operator_role("research")["rules"]


def cluster_of(opened: OpenedEnvironment) -> KubernetesPlan:
    assert opened.plan.kubernetes is not None
    return opened.plan.kubernetes


def policies(cluster: KubernetesPlan, team: str) -> Sequence[Mapping[str, Any]]:
    made = (each for manifest in cluster.team_manifests for each in manifest.objects)
    return [
        each
        for each in made
        if each["kind"] == "ValidatingAdmissionPolicy" and each["metadata"]["name"].endswith(f"-fields-{team}")
    ]


@pytest.mark.parametrize("team", ["research", "small", "guests"])
def test_a_member_may_create_each_object_of_the_pack(
    packs: Mapping[str, KubernetesPack], opened: OpenedEnvironment, team: str
) -> None:
    cluster = cluster_of(opened)
    (policy,) = policies(cluster, team)
    bodies = [body for _, body in objects_in(packs[team])]
    assert bodies
    for body in bodies:
        group = body["apiVersion"].rpartition("/")[0]
        assert not is_cluster_scoped(body)
        assert allows(MEMBER, "create", group, resource_of_kind(group, body["kind"])), body["kind"]
        assert rejections(policy, body, groups=[f"neuron-cluster:{team}"]) == []
    assert list(objects_beyond_quotas(bodies, cluster, team)) == []


def test_a_member_reads_what_the_verbs_read_and_stops_what_they_stop() -> None:
    for group, resource in ((group, each) for group, found in RESOURCES.items() for each in found):
        assert allows(MEMBER, "list", group, resource) is (resource not in OF_CLUSTER), resource
    for kind in KINDS.values():
        resource, _, group = kind.resource.partition(".")
        assert allows(MEMBER, "patch", {"jobs": "batch", "cronjobs": "batch"}.get(resource, group), resource)
    for group, resource in (("kueue.x-k8s.io", "workloads"), ("", "pods/ephemeralcontainers")):
        assert allows(MEMBER, "patch", group, resource)
    for group, resource in (("", "pods/log"), ("", "pods"), ("apps", "deployments")):
        assert allows(MEMBER, "get", group, resource)
    assert allows(OPERATOR, "patch", "keda.sh", "scaledobjects")


NEVER = (
    ("pods/binding", ""), ("bindings", ""), ("serviceaccounts/token", ""), ("resourcequotas", ""), ("limitranges", ""),
    ("roles", "rbac.authorization.k8s.io"), ("rolebindings", "rbac.authorization.k8s.io"),
    ("endpoints", ""), ("endpointslices", "discovery.k8s.io"), ("daemonsets", "apps"),
    ("localqueues", "kueue.x-k8s.io"),
    ("workloads", "kueue.x-k8s.io"), ("podmonitors", "monitoring.coreos.com"), ("ingresses", "networking.k8s.io"),
    ("httproutes", "gateway.networking.k8s.io"),
)  # fmt: skip


def test_neither_members_nor_operators_create_what_reaches_beyond_the_namespace() -> None:
    for (resource, group), rules in itertools.product(NEVER, (MEMBER, OPERATOR)):
        assert not allows(rules, "create", group, resource), resource


def test_rules_are_compared_as_the_api_server_does() -> None:
    one = [{"apiGroups": [""], "resources": ["configmaps"], "resourceNames": ["own"], "verbs": ["get"]}]
    assert allows(one, "get", "", "configmaps", "own")
    assert not allows(one, "get", "", "configmaps", "other")
    assert not allows(one, "get", "apps", "configmaps", "own")
    every = [{"apiGroups": ["*"], "resources": ["*/log"], "verbs": ["*"]}]
    assert allows(every, "get", "", "pods/log")
    assert not allows(every, "get", "", "pods")
