"""AWS::EKS::Addon, AccessEntry and PodIdentityAssociation: read back as given, changed in place, deleted."""

from __future__ import annotations

import pytest
from botocore.exceptions import ClientError
from msgspec import structs

from local_aws.engine.status_reasons import ResourceFailedError

ADDON = "AWS::EKS::Addon"
ENTRY = "AWS::EKS::AccessEntry"
ASSOCIATION = "AWS::EKS::PodIdentityAssociation"
ADMIN = "arn:aws:iam::300000000003:role/Admin"
POLICIES = "arn:aws:eks::aws:cluster-access-policy/"


@pytest.fixture
def stage(bench, local_aws, make_ground):
    """The workbench with a cluster ``trn`` that takes access entries."""
    local_aws.store.tables.clear()
    bench = structs.replace(bench, account="300000000003")
    ground = make_ground(bench.client)
    properties = {
        "Name": "trn",
        "Version": "1.34",
        "RoleArn": ground.cluster_role,
        "ResourcesVpcConfig": {"SubnetIds": ground.subnets},
        "AccessConfig": {"AuthenticationMode": "API", "BootstrapClusterCreatorAdminPermissions": False},
    }
    bench.create("AWS::EKS::Cluster", properties)
    return bench, ground


@pytest.fixture
def addon(stage):
    _, ground = stage
    return {
        "ClusterName": "trn",
        "AddonName": "vpc-cni",
        "AddonVersion": "v1.9.0-eksbuild.1",
        "ConfigurationValues": '{"controller": {"replicaCount": 1}}',
        "PodIdentityAssociations": [{"ServiceAccount": "aws-node", "RoleArn": ground.pod_role}],
        "ResolveConflicts": "OVERWRITE",
        "PreserveOnDelete": False,
        "Tags": [{"Key": "environment", "Value": "train"}],
    }


@pytest.fixture
def entry():
    return {
        "ClusterName": "trn",
        "PrincipalArn": ADMIN,
        "Type": "STANDARD",
        "KubernetesGroups": ["admins"],
        "Username": "admin:{{SessionName}}",
        "AccessPolicies": [
            {"PolicyArn": f"{POLICIES}AmazonEKSClusterAdminPolicy", "AccessScope": {"Type": "cluster"}},
            {
                "PolicyArn": f"{POLICIES}AmazonEKSViewPolicy",
                "AccessScope": {"Type": "namespace", "Namespaces": ["team-a", "team-b"]},
            },
        ],
        "Tags": [{"Key": "environment", "Value": "train"}],
    }


@pytest.fixture
def association(stage):
    _, ground = stage
    return {
        "ClusterName": "trn",
        "Namespace": "team-a",
        "ServiceAccount": "trainer",
        "RoleArn": ground.pod_role,
        "DisableSessionTags": True,
        "Tags": [{"Key": "team", "Value": "a"}],
    }


def test_an_addon_is_read_back_as_given(stage, addon, holds):
    bench, _ = stage
    made = bench.create(ADDON, addon)
    assert made.physical_id == "trn|vpc-cni"
    assert made.attributes["Arn"].split("/")[1:3] == ["trn", "vpc-cni"]
    write_only = ("ResolveConflicts", "PreserveOnDelete")
    assert holds(bench.read(ADDON, made), {k: v for k, v in addon.items() if k not in write_only})


def test_an_addon_changes_in_place(stage, addon):
    bench, _ = stage
    made = bench.create(ADDON, addon)
    new = {**addon, "AddonVersion": "v1.9.1-eksbuild.1", "ResolveConflicts": "PRESERVE", "Tags": []}
    del new["PodIdentityAssociations"], new["ConfigurationValues"]
    changed = bench.update(ADDON, made, addon, new)
    assert changed.attributes == made.attributes
    read = bench.read(ADDON, changed)
    assert read["AddonVersion"] == "v1.9.1-eksbuild.1"
    assert (read["PodIdentityAssociations"], read["Tags"]) == ([], [])
    assert "ConfigurationValues" not in read


def test_what_an_update_of_an_addon_set_goes_when_the_update_is_rolled_back(stage, addon):
    bench, ground = stage
    del addon["ConfigurationValues"]
    made = bench.create(ADDON, addon)
    before = bench.read(ADDON, made)
    new = {
        **addon,
        "ConfigurationValues": '{"controller": {"replicaCount": 1}}',
        "ServiceAccountRoleArn": ground.pod_role,
    }
    changed = bench.update(ADDON, made, addon, new)
    assert bench.read(ADDON, changed)["ServiceAccountRoleArn"] == ground.pod_role
    assert bench.read(ADDON, bench.update(ADDON, changed, new, addon)) == before


def test_an_unchanged_association_of_an_addon_keeps_its_id(stage, addon):
    bench, _ = stage
    made = bench.create(ADDON, addon)
    eks = bench.client("eks")
    before = eks.describe_addon(clusterName="trn", addonName="vpc-cni")["addon"]["podIdentityAssociations"]
    bench.update(ADDON, made, addon, {**addon, "AddonVersion": "v1.9.1-eksbuild.1"})
    after = eks.describe_addon(clusterName="trn", addonName="vpc-cni")["addon"]["podIdentityAssociations"]
    assert after == before


def test_an_access_entry_is_read_back_as_given(stage, entry, holds):
    bench, _ = stage
    made = bench.create(ENTRY, entry)
    assert made.physical_id == f"{ADMIN}|trn"
    assert made.attributes["AccessEntryArn"].startswith("arn:aws:eks:us-west-2:300000000003:access-entry/trn/role/")
    assert holds(bench.read(ENTRY, made), entry)


def test_an_access_entry_changes_in_place(stage, entry, holds):
    bench, _ = stage
    made = bench.create(ENTRY, entry)
    view, edit = (
        {"PolicyArn": f"{POLICIES}{name}", "AccessScope": {"Type": "namespace", "Namespaces": ["team-a"]}}
        for name in ("AmazonEKSViewPolicy", "AmazonEKSEditPolicy")
    )
    new = {**entry, "KubernetesGroups": ["ops"], "AccessPolicies": [view, edit], "Tags": [{"Key": "a", "Value": "b"}]}
    changed = bench.update(ENTRY, made, entry, new)
    assert changed.attributes == made.attributes
    assert holds(bench.read(ENTRY, changed), new)


def test_a_viewer_who_could_read_secrets_loses_that_in_place(stage, entry, holds):
    bench, _ = stage
    old, new = (
        {**entry, "AccessPolicies": [{"PolicyArn": f"{POLICIES}{name}", "AccessScope": {"Type": "cluster"}}]}
        for name in ("AmazonEKSAdminViewPolicy", "AmazonEKSViewPolicy")
    )
    made = bench.create(ENTRY, old)
    changed = bench.update(ENTRY, made, old, new)
    assert changed.physical_id == made.physical_id
    assert holds(bench.read(ENTRY, changed), new)
    bound = bench.client("eks").list_associated_access_policies(clusterName="trn", principalArn=ADMIN)
    assert [each["policyArn"] for each in bound["associatedAccessPolicies"]] == [f"{POLICIES}AmazonEKSViewPolicy"]


def test_an_entry_with_a_refused_policy_is_not_left_behind(stage, entry):
    bench, _ = stage
    entry["AccessPolicies"].append({"PolicyArn": f"{POLICIES}None", "AccessScope": {"Type": "cluster"}})
    with pytest.raises(ClientError, match="The specified policyArn could not be found"):
        bench.create(ENTRY, entry)
    assert bench.client("eks").list_access_entries(clusterName="trn")["accessEntries"] == []


def test_a_pod_identity_association_is_read_back_as_given(stage, association, holds):
    bench, _ = stage
    made = bench.create(ASSOCIATION, association)
    assert made.physical_id == made.attributes["AssociationArn"]
    assert made.physical_id.endswith(made.attributes["AssociationId"])
    assert holds(bench.read(ASSOCIATION, made), association)


def test_a_pod_identity_association_changes_in_place(stage, association, holds):
    bench, ground = stage
    made = bench.create(ASSOCIATION, association)
    new = {
        **association,
        "RoleArn": ground.other_pod_role,
        "TargetRoleArn": "arn:aws:iam::400000000000:role/data",
        "DisableSessionTags": False,
        "Tags": [],
    }
    changed = bench.update(ASSOCIATION, made, association, new)
    assert changed.physical_id == made.physical_id
    assert changed.attributes["ExternalId"]
    assert holds(bench.read(ASSOCIATION, changed), new)
    bench.update(ASSOCIATION, changed, new, association)
    assert "TargetRoleArn" not in bench.read(ASSOCIATION, changed)


@pytest.mark.parametrize(
    ("type_name", "fixture", "wrong"),
    [
        (ADDON, "addon", {"AddonVersionn": "v1"}),
        (ADDON, "addon", {"PodIdentityAssociations": [{"ServiceAccounts": "x"}]}),
        (ENTRY, "entry", {"KubernetesGroup": []}),
        (ENTRY, "entry", {"AccessPolicies": [{"PolicyArn": POLICIES, "Scope": {}}]}),
        (ASSOCIATION, "association", {"Role": "x"}),
    ],
)
def test_a_misspelt_property_fails(stage, request, type_name, fixture, wrong):
    bench, _ = stage
    with pytest.raises(ResourceFailedError, match="extraneous key"):
        bench.create(type_name, {**request.getfixturevalue(fixture), **wrong})


@pytest.mark.parametrize(("type_name", "fixture"), [(ADDON, "addon"), (ENTRY, "entry"), (ASSOCIATION, "association")])
def test_each_can_be_deleted_twice_and_after_its_cluster(stage, request, type_name, fixture):
    bench, _ = stage
    properties = request.getfixturevalue(fixture)
    made = bench.create(type_name, properties)
    bench.delete(type_name, made, properties)
    bench.delete(type_name, made, properties)
    made = bench.create(type_name, properties)
    bench.delete("AWS::EKS::Cluster", structs.replace(made, physical_id="trn"), {})
    bench.delete(type_name, made, properties)
    assert bench.client("eks").list_clusters()["clusters"] == []
