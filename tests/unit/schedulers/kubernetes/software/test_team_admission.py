"""Fields by which a member could take what belongs to others, judged in CEL as the API server does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from local_kubernetes.model.resource_quota import exceeded_limits
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.field_admission import rejected_fields
from tests.cel_admission import rejections
from tests.five_teams import team, with_teams

PlanOf = Callable[..., Any]
TAINT = {"key": "team", "value": "robotics", "effect": "NoSchedule"}


def objects_of(plan: Any, team: str) -> dict[str, Mapping[str, Any]]:
    (manifest,) = (each for each in plan.kubernetes.team_manifests if each.name == f"Fields of team {team}")
    return {each["kind"]: each for each in manifest.objects}


@pytest.fixture
def shipped(plan_of: PlanOf) -> Any:
    """``inf2`` belongs to robotics, has its taint and no queue."""
    return plan_of("research-teams")


@pytest.fixture
def policy(shipped: Any) -> Mapping[str, Any]:
    """Returns the policy of the team ``language``."""
    return objects_of(shipped, "language")["ValidatingAdmissionPolicy"]


def pod(**spec: Any) -> dict[str, Any]:
    return {"kind": "Pod", "metadata": {"name": "own"}, "spec": {"containers": [{"name": "main"}], **spec}}


def service(**spec: Any) -> dict[str, Any]:
    return {"kind": "Service", "metadata": {"name": "own"}, "spec": spec}


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (service(externalIPs=["10.0.0.5"]), "externalIPs"),
        (pod(nodeName="ip-10-0-0-1.ec2.internal"), "nodeName"),
        (pod(volumes=[{"name": "homes", "nfs": {"server": "10.0.0.5", "path": "/"}}]), "by the node"),
        (pod(volumes=[{"name": "d", "awsElasticBlockStore": {"volumeID": "vol-0123456789abcdef0"}}]), "by the node"),
        (pod(tolerations=[{"operator": "Exists"}]), "team=robotics"),
        (pod(tolerations=[{"key": "team", "operator": "Exists"}]), "team=robotics"),
        (pod(tolerations=[{"key": "team", "value": "robotics", "effect": "NoSchedule"}]), "team=robotics"),
    ],
)
def test_a_field_that_takes_from_others_is_rejected(
    policy: Mapping[str, Any], shipped: Any, body: Any, text: str
) -> None:
    (message,) = rejections(policy, body)
    assert text in message
    assert len(list(rejected_fields([body], shipped.kubernetes, "language"))) == 1


OWN_VOLUMES = [
    *("configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected"),
    "secret",
]
OTHER_VOLUMES = [
    *("awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder", "fc", "flexVolume", "flocker"),
    *("gcePersistentDisk", "gitRepo", "glusterfs", "iscsi", "nfs", "photonPersistentDisk", "portworxVolume", "quobyte"),
    *("rbd", "scaleIO", "storageos", "vsphereVolume"),
]
"""With hostPath, which Pod Security judges: VolumeSource of kubernetes/kubernetes staging/src/k8s.io/api/core/v1."""


def test_of_the_kinds_of_volumes_those_are_left_that_name_no_storage_of_others(policy: Mapping[str, Any]) -> None:
    kinds = [*OWN_VOLUMES, *OTHER_VOLUMES]
    assert [each for each in kinds if not rejections(policy, pod(volumes=[{"name": "v", each: {}}]))] == OWN_VOLUMES


@pytest.mark.parametrize(
    "body",
    [
        service(type="ClusterIP", selector={"app": "server"}),
        service(externalIPs=[]),
        pod(volumes=[{"name": "scratch", "emptyDir": {}}, {"name": "d", "persistentVolumeClaim": {"claimName": "d"}}]),
        pod(tolerations=[{"key": "aws.amazon.com/neuron", "operator": "Exists", "effect": "NoSchedule"}]),
        pod(tolerations=[{"key": "team", "value": "language", "effect": "NoSchedule"}]),
        pod(tolerations=[{"key": "team", "operator": "Exists", "effect": "NoExecute"}]),
    ],
)
def test_what_is_the_teams_own_is_admitted(policy: Mapping[str, Any], shipped: Any, body: Any) -> None:
    assert rejections(policy, body) == []
    assert list(rejected_fields([body], shipped.kubernetes, "language")) == []


def test_the_team_of_a_group_tolerates_its_taint(shipped: Any) -> None:
    own = objects_of(shipped, "robotics")["ValidatingAdmissionPolicy"]
    assert rejections(own, pod(tolerations=[TAINT | {"operator": "Equal"}])) == []


def test_an_update_is_judged_by_what_it_adds(policy: Mapping[str, Any]) -> None:
    """Objects from before the deploy of the policy can be changed and deleted."""
    scheduled = pod(nodeName="ip-10-0-0-1", tolerations=[{"operator": "Exists"}])
    assert rejections(policy, scheduled, scheduled) == []
    assert rejections(policy, scheduled, pod(nodeName="ip-10-0-0-1"))
    assert rejections(policy, service(externalIPs=["10.0.0.5"]), service(externalIPs=["10.0.0.5"])) == []
    assert rejections(policy, service(externalIPs=["10.0.0.6"]), service(externalIPs=["10.0.0.5"]))


def test_a_queue_that_a_team_may_use_is_no_foreign_node(plan_of: PlanOf) -> None:
    """Kueue gives its pods the tolerations of the group."""
    taints = [{"key": "team", "value": "research", "effect": "no_schedule"}]
    group = {"eks.node_groups.1.team": "research", "eks.node_groups.1.taints": taints}
    tolerating = pod(tolerations=[{"key": "team", "operator": "Exists", "effect": "NoSchedule"}])
    plan = plan_of("train-trn1", with_teams([team("research"), team("speech")], **group))
    assert rejections(objects_of(plan, "speech")["ValidatingAdmissionPolicy"], tolerating) == []


def test_kueue_gives_pods_no_toleration_of_another_teams_nodes(plan_of: PlanOf) -> None:
    """Two groups have a taint of the same key: the flavor of one tolerates its value alone."""
    keys = {"instance_type": "inf2.24xlarge", "count": {"min": 0, "desired": 0, "max": 1}}
    taint = {"key": "team", "effect": "no_schedule"}
    theirs = {**keys, "name": "theirs", "team": "speech", "taints": [taint | {"value": "speech"}]}
    groups = {"eks.node_groups.1.taints": [taint | {"value": "all"}], "eks.node_groups.2": theirs}
    plan = plan_of("train-trn1", with_teams([team("research"), team("speech")], **groups))
    (flavor,) = (
        each for made in plan.kubernetes.manifests for each in made.objects if each["kind"] == "ResourceFlavor"
    )
    given = pod(tolerations=flavor["spec"]["tolerations"])
    assert any(each["key"] == "team" for each in flavor["spec"]["tolerations"])
    assert rejections(objects_of(plan, "research")["ValidatingAdmissionPolicy"], given) == []


def test_the_policy_fails_closed_and_holds_in_every_namespace_of_the_team(shipped: Any) -> None:
    objects = objects_of(shipped, "biology")
    policy, binding = objects["ValidatingAdmissionPolicy"], objects["ValidatingAdmissionPolicyBinding"]
    assert policy["spec"]["failurePolicy"] == "Fail"
    assert (binding["spec"]["policyName"], binding["spec"]["validationActions"]) == (
        policy["metadata"]["name"],
        ["Deny"],
    )
    (names,) = binding["spec"]["matchResources"]["namespaceSelector"]["matchExpressions"]
    assert names["values"] == ["biology", "biology-students"]


def quotas(plan: Any, namespace: str) -> list[Mapping[str, Any]]:
    objects = (each for manifest in plan.kubernetes.team_manifests for each in manifest.objects)
    return [each for each in objects if each["kind"] == "ResourceQuota" and each["metadata"]["namespace"] == namespace]


def claim(gib: int, storage_class: str) -> dict[str, Any]:
    resources = {"requests": {"storage": f"{gib}Gi"}}
    return {"kind": "PersistentVolumeClaim", "spec": {"storageClassName": storage_class, "resources": resources}}


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        (service(type="LoadBalancer"), "services.loadbalancers"),
        (service(type="NodePort"), "services.nodeports"),
        (pod(priorityClassName="system-node-critical"), "limits pods to 0"),
        (pod(priorityClassName="system-cluster-critical"), "limits pods to 0"),
        (claim(4097, "neuron-cluster-gp3"), "storage"),
        (claim(4097, "gp2"), "storage"),
    ],
)
def test_the_quotas_of_a_team_refuse_what_preempts_publishes_or_fills_disks(
    shipped: Any, body: Any, limit: str
) -> None:
    assert any(limit in each.text for each in exceeded_limits(quotas(shipped, "language"), [(body, 1)]))


def test_the_quotas_of_a_team_admit_plain_objects(shipped: Any) -> None:
    bodies = [pod(), pod(priorityClassName="own"), service(type="ClusterIP"), claim(4096, "gp2"), claim(9999, "")]
    assert exceeded_limits(quotas(shipped, "language"), [(each, 1) for each in bodies]) == []


def test_the_file_sets_the_size_of_ebs_volumes(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", with_teams([team("research", ebs_gib=100)]))
    assert exceeded_limits(quotas(plan, "research"), [(claim(100, "gp2"), 1)]) == []
    assert exceeded_limits(quotas(plan, "research"), [(claim(101, "gp2"), 1)])
