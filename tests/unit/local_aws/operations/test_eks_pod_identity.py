"""Pod Identity associations."""

from __future__ import annotations


def create(eks, ground, **members):
    wish = {"clusterName": "trn", "namespace": "team-a", "serviceAccount": "trainer", "roleArn": ground.pod_role}
    return eks.create_pod_identity_association(**{**wish, **members})["association"]


def test_an_association_is_found_by_id_and_by_account(eks, cluster, ground, account):
    row = create(eks, ground, tags={"team": "a"})
    assert row["associationArn"] == (
        f"arn:aws:eks:us-west-2:{account}:podidentityassociation/trn/{row['associationId']}"
    )
    told = eks.describe_pod_identity_association(clusterName="trn", associationId=row["associationId"])["association"]
    assert (told["roleArn"], told["tags"], told["disableSessionTags"]) == (ground.pod_role, {"team": "a"}, False)
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
