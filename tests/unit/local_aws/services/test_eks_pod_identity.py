"""Pod Identity associations."""

from __future__ import annotations

import json

import pytest

PODS = {"Service": "pods.eks.amazonaws.com"}
OPEN_ID = {"Federated": "arn:aws:iam::300000000000:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/A"}
UNTRUSTED = (
    "InvalidParameterException",
    "Trust policy of the role provided is invalid. Follow the official documentation to resolve the issue.",
)


def create(eks, ground, **members):
    wish = {"clusterName": "trn", "namespace": "team-a", "serviceAccount": "trainer", "roleArn": ground.pod_role}
    return eks.create_pod_identity_association(**{**wish, **members})["association"]


def test_an_association_is_found_by_id_and_by_account(eks, cluster, ground, account):
    row = create(eks, ground, tags={"team": "a"})
    assert row["associationArn"] == (
        f"arn:aws:eks:us-west-2:{account}:podidentityassociation/trn/{row['associationId']}"
    )
    actual = eks.describe_pod_identity_association(clusterName="trn", associationId=row["associationId"])["association"]
    assert (actual["roleArn"], actual["tags"], actual["disableSessionTags"]) == (
        ground.pod_role,
        {"team": "a"},
        False,
    )
    of_other = eks.list_pod_identity_associations(clusterName="trn", namespace="team-b")
    assert of_other["associations"] == []
    (found,) = eks.list_pod_identity_associations(clusterName="trn", serviceAccount="trainer")["associations"]
    assert found["associationId"] == row["associationId"]


def test_an_account_has_one_role(eks, cluster, ground, refused):
    row = create(eks, ground)
    wish = {"clusterName": "trn", "namespace": "team-a", "serviceAccount": "trainer", "roleArn": ground.pod_role}
    assert refused(eks.create_pod_identity_association, **wish) == (
        "ResourceInUseException",
        f"Association already exists: {row['associationId']}",
    )


def test_a_role_that_is_missing_is_refused(eks, cluster, ground, refused):
    wish = {"clusterName": "trn", "namespace": "team-a", "serviceAccount": "trainer"}
    assert refused(eks.create_pod_identity_association, **wish, roleArn=ground.pod_role + "x") == (
        "InvalidParameterException",
        "Role provided in the request does not exist",
    )


def trusting(client, name, *allowed):
    """ARN of a new role with a statement for each of these principals and actions."""
    statements = [{"Effect": "Allow", "Principal": principal, "Action": actions} for principal, actions in allowed]
    document = json.dumps({"Version": "2012-10-17", "Statement": statements})
    return client("iam").create_role(RoleName=name, AssumeRolePolicyDocument=document)["Role"]["Arn"]


@pytest.mark.parametrize(
    "allowed",
    [
        [(OPEN_ID, "sts:AssumeRoleWithWebIdentity")],
        [(PODS, "sts:AssumeRole")],
        [(PODS, "sts:TagSession")],
        [({"Service": "ec2.amazonaws.com"}, ["sts:AssumeRole", "sts:TagSession"])],
    ],
)
def test_a_role_that_pods_cannot_take_is_refused(client, eks, cluster, ground, refused, allowed):
    """Each call that can give it to pods rejects it."""
    role = trusting(client, "untrusted", *allowed)
    name = {"clusterName": "trn"}
    row = create(eks, ground)
    other = {**name, "namespace": "team-a", "serviceAccount": "other", "roleArn": role}
    assert refused(eks.create_pod_identity_association, **other) == UNTRUSTED
    changed = {**name, "associationId": row["associationId"], "roleArn": role}
    assert refused(eks.update_pod_identity_association, **changed) == UNTRUSTED
    addon = {**name, "addonName": "vpc-cni"}
    identity = [{"serviceAccount": "aws-node", "roleArn": role}]
    assert refused(eks.create_addon, **addon, podIdentityAssociations=identity) == UNTRUSTED
    assert eks.list_addons(**name)["addons"] == []
    client("iam").delete_role(RoleName="untrusted")


@pytest.mark.parametrize(
    "allowed",
    [
        [(PODS, "sts:AssumeRole"), (PODS, "sts:TagSession")],
        [(OPEN_ID, "sts:AssumeRoleWithWebIdentity"), (PODS, ["sts:AssumeRole", "sts:TagSession"])],
    ],
)
def test_a_role_that_pods_can_take_is_taken(client, eks, cluster, ground, allowed):
    role = trusting(client, "trusted", *allowed)
    assert create(eks, ground, roleArn=role)["roleArn"] == role
    client("iam").delete_role(RoleName="trusted")


def test_an_addon_gives_roles_to_its_own_accounts(eks, cluster, ground, refused):
    addon = {"clusterName": "trn", "addonName": "amazon-cloudwatch-observability"}
    foreign = [{"serviceAccount": "amazon-cloudwatch", "roleArn": ground.pod_role}]
    text = "Service account amazon-cloudwatch in pod identity configuration is not supported for addon"
    answer = ("InvalidParameterException", f"{text} amazon-cloudwatch-observability")
    assert refused(eks.create_addon, **addon, podIdentityAssociations=foreign) == answer
    assert eks.list_addons(clusterName="trn")["addons"] == []
    eks.create_addon(**addon)
    assert refused(eks.update_addon, **addon, podIdentityAssociations=foreign) == answer
    own = [{"serviceAccount": "cloudwatch-agent", "roleArn": ground.pod_role}]
    eks.update_addon(**addon, podIdentityAssociations=own)
    assert eks.list_pod_identity_associations(clusterName="trn")["associations"][0]["serviceAccount"] == (
        "cloudwatch-agent"
    )


def test_an_addon_whose_accounts_are_not_known_takes_any(eks, cluster, ground):
    identity = [{"serviceAccount": "collector", "roleArn": ground.pod_role}]
    addon = {"clusterName": "trn", "addonName": "adot"}
    assert len(eks.create_addon(**addon, podIdentityAssociations=identity)["addon"]["podIdentityAssociations"]) == 1


def test_a_target_role_brings_an_external_id(eks, cluster, ground):
    row = create(eks, ground)
    target = "arn:aws:iam::400000000000:role/data"
    association_id = row["associationId"]
    changed = eks.update_pod_identity_association(
        clusterName="trn", associationId=association_id, targetRoleArn=target
    )["association"]
    assert changed["targetRoleArn"] == target
    assert changed["externalId"]


def test_a_deleted_association_is_gone(eks, cluster, ground, refused):
    row = create(eks, ground)
    eks.delete_pod_identity_association(clusterName="trn", associationId=row["associationId"])
    code, _ = refused(eks.describe_pod_identity_association, clusterName="trn", associationId=row["associationId"])
    assert code == "ResourceNotFoundException"
