"""Access entries, their policies, and the authentication mode they need."""

from __future__ import annotations

import pytest

ADMIN = "arn:aws:iam::300000000000:role/path/Admin"
POLICY = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"


def create(eks, **members):
    return eks.create_access_entry(clusterName="trn", principalArn=ADMIN, **members)["accessEntry"]


def test_an_entry_is_found_by_an_arn_with_slashes(eks, cluster):
    entry = create(eks, kubernetesGroups=["admins"])
    assert entry["accessEntryArn"].startswith(
        "arn:aws:eks:us-west-2:300000000000:access-entry/trn/role/300000000000/Admin/"
    )
    reported = eks.describe_access_entry(clusterName="trn", principalArn=ADMIN)["accessEntry"]
    assert reported["username"] == "arn:aws:sts::300000000000:assumed-role/Admin/{{SessionName}}"
    assert (reported["type"], reported["kubernetesGroups"]) == ("STANDARD", ["admins"])
    eks.delete_access_entry(clusterName="trn", principalArn=ADMIN)
    assert eks.list_access_entries(clusterName="trn")["accessEntries"] == []


def test_policies_come_and_go(eks, cluster):
    create(eks)
    scope = {"type": "namespace", "namespaces": ["team-a"]}
    eks.associate_access_policy(clusterName="trn", principalArn=ADMIN, policyArn=POLICY, accessScope=scope)
    (bound,) = eks.list_associated_access_policies(clusterName="trn", principalArn=ADMIN)["associatedAccessPolicies"]
    assert (bound["policyArn"], bound["accessScope"]) == (POLICY, scope)
    assert eks.list_access_entries(clusterName="trn", associatedPolicyArn=POLICY)["accessEntries"] == [ADMIN]
    eks.disassociate_access_policy(clusterName="trn", principalArn=ADMIN, policyArn=POLICY)
    assert eks.list_access_entries(clusterName="trn", associatedPolicyArn=POLICY)["accessEntries"] == []


def test_an_entry_is_updated_in_place(eks, cluster):
    create(eks)
    eks.update_access_entry(clusterName="trn", principalArn=ADMIN, kubernetesGroups=["ops"], username="admin")
    reported = eks.describe_access_entry(clusterName="trn", principalArn=ADMIN)["accessEntry"]
    assert (reported["kubernetesGroups"], reported["username"]) == (["ops"], "admin")


def test_a_second_entry_is_refused(eks, cluster, refused):
    create(eks)
    assert refused(eks.create_access_entry, clusterName="trn", principalArn=ADMIN) == (
        "ResourceInUseException",
        "The specified access entry resource is already in use on this cluster.",
    )


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"principalArn": "Admin"}, "The specified principalArn is invalid: invalid principal."),
        (
            {"principalArn": "arn:aws:iam::111122223333:role/aws-service-role/eks.amazonaws.com/AWSServiceRole"},
            "not allowed to modify access entries with a principalArn value of a Service Linked Role",
        ),
        ({"kubernetesGroups": ["system:masters"]}, "it cannot start with system:"),
        ({"type": "EC2_LINUX", "username": "x"}, "setting username is not allowed"),
        ({"type": "NODE"}, "The specified type NODE is invalid"),
    ],
)
def test_what_an_entry_may_not_ask(eks, cluster, refused, members, text):
    answered = refused(eks.create_access_entry, **{"clusterName": "trn", "principalArn": ADMIN, **members})
    assert answered[0] == "InvalidParameterException"
    assert text in answered[1]


@pytest.mark.parametrize(
    ("policy", "scope", "code"),
    [
        (POLICY + "x", {"type": "cluster"}, "ResourceNotFoundException"),
        (POLICY, {"type": "namespace"}, "InvalidParameterException"),
        (POLICY, {"type": "cluster", "namespaces": ["a"]}, "InvalidParameterException"),
    ],
)
def test_what_a_policy_may_not_ask(*, eks, cluster, refused, policy, scope, code):
    create(eks)
    answered = refused(
        eks.associate_access_policy, clusterName="trn", principalArn=ADMIN, policyArn=policy, accessScope=scope
    )
    assert answered[0] == code


def test_entries_for_nodes_take_no_policy(eks, cluster, refused):
    create(eks, type="EC2_LINUX")
    answered = refused(
        eks.associate_access_policy,
        clusterName="trn",
        principalArn=ADMIN,
        policyArn=POLICY,
        accessScope={"type": "cluster"},
    )
    assert answered[1] == 'This operation can only be performed on Access Entries with a type of "STANDARD".'


def test_a_cluster_of_config_maps_has_no_entries(eks, ground, refused):
    eks.create_cluster(name="old", roleArn=ground.cluster_role, resourcesVpcConfig={"subnetIds": ground.subnets})
    code, message = refused(eks.create_access_entry, clusterName="old", principalArn=ADMIN)
    assert code == "InvalidRequestException"
    assert message.startswith("The cluster's authentication mode must be set to one of [API, API_AND_CONFIG_MAP]")


def test_unknown_principals_are_named_by_the_service(eks, cluster, refused):
    code, message = refused(eks.describe_access_entry, clusterName="trn", principalArn=ADMIN)
    assert code == "ResourceNotFoundException"
    assert message.startswith("The specified principalArn could not be found.")
