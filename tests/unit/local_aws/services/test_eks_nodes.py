"""The order of a cluster: nodes need a CNI, add-ons need nodes. In the API and as CloudFormation sees it."""

from __future__ import annotations

import json

import pytest

SIZES = {"minSize": 0, "desiredSize": 1, "maxSize": 3}
TAINT = {"key": "aws.amazon.com/neuron", "value": "true", "effect": "NO_SCHEDULE"}
UNHEALTHY = "Unhealthy nodes in the kubernetes cluster"
FEW_REPLICAS = "The add-on is unhealthy because it doesn't have the desired number of replicas."


@pytest.fixture
def bare(eks, ground):
    """A cluster into which EKS puts no add-on by itself."""
    eks.create_cluster(
        name="bare",
        roleArn=ground.cluster_role,
        resourcesVpcConfig={"subnetIds": ground.subnets},
        bootstrapSelfManagedAddons=False,
    )
    return "bare"


@pytest.fixture
def group(eks, ground):
    def make(cluster, name="nodes", **more):
        wish = {"subnets": ground.subnets[:1], "nodeRole": ground.node_role, "scalingConfig": SIZES, **more}
        eks.create_nodegroup(clusterName=cluster, nodegroupName=name, **wish)
        return eks.describe_nodegroup(clusterName=cluster, nodegroupName=name)["nodegroup"]

    return make


def health(eks, cluster, name="coredns"):
    addon = eks.describe_addon(clusterName=cluster, addonName=name)["addon"]
    return addon["status"], [(each["code"], each["message"]) for each in addon["health"]["issues"]]


def test_nodes_without_a_cni_never_become_ready(bare, group):
    found = group(bare)
    assert found["status"] == "CREATE_FAILED"
    assert [(each["code"], each["message"]) for each in found["health"]["issues"]] == [
        ("NodeCreationFailure", UNHEALTHY)
    ]


def test_with_the_addon_they_do(eks, bare, group):
    eks.create_addon(clusterName=bare, addonName="vpc-cni")
    assert group(bare)["status"] == "ACTIVE"


def test_a_group_without_nodes_waits_for_no_cni(bare, group):
    assert group(bare, scalingConfig={**SIZES, "desiredSize": 0})["status"] == "ACTIVE"


def test_a_cluster_with_self_managed_addons_has_its_cni(cluster, group):
    assert group("trn")["status"] == "ACTIVE"


def test_an_addon_that_runs_pods_of_its_own_is_degraded_until_a_node_takes_them(eks, cluster, group):
    eks.create_addon(clusterName="trn", addonName="coredns")
    lacking = ("DEGRADED", [("InsufficientNumberOfReplicas", FEW_REPLICAS)])
    assert health(eks, "trn") == lacking
    group("trn", "tainted", taints=[TAINT])
    assert health(eks, "trn") == lacking
    group("trn", "empty", scalingConfig={**SIZES, "desiredSize": 0})
    assert health(eks, "trn") == lacking
    group("trn", "system")
    assert health(eks, "trn") == ("ACTIVE", [])
    eks.delete_nodegroup(clusterName="trn", nodegroupName="system")
    assert health(eks, "trn") == lacking


def test_an_addon_that_follows_the_nodes_needs_none(eks, cluster):
    eks.create_addon(clusterName="trn", addonName="kube-proxy")
    assert health(eks, "trn", "kube-proxy") == ("ACTIVE", [])


@pytest.mark.parametrize(
    ("toleration", "status"),
    [
        ({"operator": "Exists"}, "ACTIVE"),
        ({"key": TAINT["key"], "operator": "Exists", "effect": "NoSchedule"}, "ACTIVE"),
        ({"key": TAINT["key"], "value": "true"}, "ACTIVE"),
        ({"key": TAINT["key"], "value": "false"}, "DEGRADED"),
        ({"key": TAINT["key"], "operator": "Exists", "effect": "NoExecute"}, "DEGRADED"),
        ({"key": "other", "operator": "Exists"}, "DEGRADED"),
    ],
)
def test_a_toleration_of_its_configuration_opens_a_tainted_group(eks, cluster, group, toleration, status):
    group("trn", "tainted", taints=[TAINT])
    values = json.dumps({"tolerations": [toleration]})
    eks.create_addon(clusterName="trn", addonName="coredns", configurationValues=values)
    assert health(eks, "trn")[0] == status


def test_an_addon_tolerates_the_taint_for_addons(eks, cluster, group):
    group("trn", "system", taints=[{"key": "CriticalAddonsOnly", "value": "true", "effect": "NO_SCHEDULE"}])
    eks.create_addon(clusterName="trn", addonName="coredns")
    assert health(eks, "trn")[0] == "ACTIVE"


@pytest.fixture
def stack(client, request):
    """Creates a stack of one resource; its status at the end and the reasons of its failures."""
    cloudformation = client("cloudformation")
    made = []

    def create(type_name, properties):
        name = f"nodes-{len(request.node.name)}-{abs(hash(request.node.name))}"
        body = json.dumps({"Resources": {"Thing": {"Type": type_name, "Properties": properties}}})
        cloudformation.create_stack(StackName=name, TemplateBody=body)
        made.append(name)
        while True:
            status = cloudformation.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"]
            if not status.endswith("IN_PROGRESS"):
                break
        events = cloudformation.describe_stack_events(StackName=name)["StackEvents"]
        return status, [each["ResourceStatusReason"] for each in events if each["ResourceStatus"] == "CREATE_FAILED"]

    yield create
    for name in made:
        cloudformation.delete_stack(StackName=name)


def test_a_stack_fails_on_a_group_without_cni_and_takes_it_back(eks, bare, ground, stack):
    sizes = {"MinSize": 0, "DesiredSize": 1, "MaxSize": 3}
    properties = {
        "ClusterName": bare,
        "NodeRole": ground.node_role,
        "Subnets": ground.subnets[:1],
        "ScalingConfig": sizes,
    }
    status, reasons = stack("AWS::EKS::Nodegroup", properties)
    assert status == "ROLLBACK_COMPLETE"
    assert f"[Issue(Code=NodeCreationFailure, Message={UNHEALTHY}, ResourceIds=[eks-" in reasons[0]
    assert "HandlerErrorCode: GeneralServiceException" in reasons[0]
    assert eks.list_nodegroups(clusterName=bare)["nodegroups"] == []


def test_a_stack_gives_up_on_a_degraded_addon(eks, bare, stack):
    status, reasons = stack("AWS::EKS::Addon", {"ClusterName": bare, "AddonName": "coredns"})
    assert status == "ROLLBACK_COMPLETE"
    assert "Exceeded attempts to wait: the add-on is DEGRADED (InsufficientNumberOfReplicas)" in reasons[0]
    assert "HandlerErrorCode: NotStabilized" in reasons[0]
    assert eks.list_addons(clusterName=bare)["addons"] == []


def test_an_association_of_a_missing_role_is_rejected_and_one_without_agent_is_not(eks, cluster, ground, refused):
    """EKS takes associations before the agent is there; the pods get no credentials until it is."""
    wish = {"clusterName": "trn", "namespace": "default", "serviceAccount": "a"}
    answer = refused(eks.create_pod_identity_association, **wish, roleArn=f"{ground.pod_role}-none")
    assert answer == ("InvalidParameterException", "Role provided in the request does not exist")
    assert eks.create_pod_identity_association(**wish, roleArn=ground.pod_role)["association"]["associationId"]


def test_an_association_with_a_missing_bucket_is_refused(ground, fsx, refused):
    system = fsx.create_file_system(
        FileSystemType="LUSTRE",
        StorageCapacity=1200,
        SubnetIds=ground.subnets[:1],
        FileSystemTypeVersion="2.15",
        LustreConfiguration={"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 250},
    )["FileSystem"]["FileSystemId"]
    code, message = refused(
        fsx.create_data_repository_association,
        FileSystemId=system,
        FileSystemPath="/data",
        DataRepositoryPath="s3://nowhere-in-this-account",
    )
    assert code == "BadRequest"
    assert message.startswith("Amazon FSx is unable to validate access to the S3 bucket.")
