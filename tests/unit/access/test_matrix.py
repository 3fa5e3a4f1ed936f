"""Roles, prefixes and pods of small templates."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.access.errors import PolicyError

from .templates import allowed_in, matrix_of

TEAM_PREFIX = "teams/${aws:PrincipalTag/kubernetes-namespace}/*"
PREFIXES = ("teams/a/", "teams/b/", "compile-cache/", "")


def document(*statements: dict[str, Any]) -> dict[str, Any]:
    return {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", **each} for each in statements]}


def bucket_arn(rest: str = "") -> Any:
    return {"Fn::Join": ["", [{"Fn::GetAtt": ["Bucket", "Arn"]}, rest]]} if rest else {"Fn::GetAtt": ["Bucket", "Arn"]}


def role(*statements: dict[str, Any], **properties: Any) -> dict[str, Any]:
    policies = [{"PolicyName": "Pods", "PolicyDocument": document(*statements)}] if statements else []
    return {"Type": "AWS::IAM::Role", "Properties": {"Policies": policies, **properties}}


def pods(namespace: str, **properties: Any) -> dict[str, Any]:
    given = {"ClusterName": {"Ref": "Cluster"}, "Namespace": namespace, "ServiceAccount": "trainer", **properties}
    arn = {"Fn::GetAtt": ["Role", "Arn"]}
    return {"Type": "AWS::EKS::PodIdentityAssociation", "Properties": {**given, "RoleArn": arn}}


def templates(**resources: Any) -> dict[str, Any]:
    encryption = {"ServerSideEncryptionByDefault": {"KMSMasterKeyID": {"Fn::GetAtt": ["Key", "Arn"]}}}
    properties = {"BucketEncryption": {"ServerSideEncryptionConfiguration": [encryption]}}
    root = {"Action": "kms:*", "Principal": {"AWS": "arn:aws:iam::111122223333:root"}, "Resource": "*"}
    base = {
        "Key": {"Type": "AWS::KMS::Key", "Properties": {"KeyPolicy": document(root)}},
        "Bucket": {"Type": "AWS::S3::Bucket", "Properties": properties},
        "Cluster": {"Type": "AWS::EKS::Cluster", "Properties": {"Name": "prod"}},
    }
    return {"stack": {"Resources": {**base, **resources}}}


TEAM = role(
    {"Action": ["s3:GetObject", "s3:PutObject"], "Resource": bucket_arn(f"/{TEAM_PREFIX}"),
     "Condition": {"StringEquals": {"aws:PrincipalTag/eks-cluster-arn": {"Fn::GetAtt": ["Cluster", "Arn"]}}}},
    {"Action": "s3:ListBucket", "Resource": bucket_arn(), "Condition": {"StringLike": {"s3:prefix": TEAM_PREFIX}}},
)  # fmt: skip


def test_one_role_for_all_teams_reaches_the_prefix_of_the_session() -> None:
    matrix = matrix_of(templates(Role=TEAM, A=pods("a"), B=pods("b")), PREFIXES)
    for namespace in ("a", "b"):
        found = {
            (cell.action, cell.prefix)
            for cell in matrix.cells
            if cell.decision.is_allowed and cell.pods is not None and cell.pods.namespace == namespace
        }
        own = f"teams/{namespace}/"
        assert found == {("s3:ListBucket", own), ("s3:GetObject", own), ("s3:PutObject", own)}


def test_without_session_tags_the_role_reaches_nothing() -> None:
    assert allowed_in(matrix_of(templates(Role=TEAM, A=pods("a", DisableSessionTags=True)), PREFIXES)) == {}


def test_tags_of_the_role_are_those_of_its_sessions_unless_the_session_has_them() -> None:
    tags = [{"Key": "team", "Value": "a"}, {"Key": "kubernetes-namespace", "Value": "b"}]
    reads = {"Action": "s3:GetObject", "Resource": bucket_arn("/teams/${aws:PrincipalTag/team}/*")}
    writes = {"Action": "s3:PutObject", "Resource": bucket_arn(f"/{TEAM_PREFIX}")}
    matrix = matrix_of(templates(Role=role(reads, writes, Tags=tags), A=pods("a")), PREFIXES)
    assert allowed_in(matrix) == {"Role": {"s3:GetObject": ("teams/a/",), "s3:PutObject": ("teams/a/",)}}


def test_a_key_needs_its_policy_and_that_of_the_role() -> None:
    used = role({"Action": "kms:Decrypt", "Resource": {"Fn::GetAtt": ["Key", "Arn"]}})
    assert allowed_in(matrix_of(templates(Role=used))) == {"Role": {"kms:Decrypt": (None,)}}
    closed = templates(Role=used)
    closed["stack"]["Resources"]["Key"]["Properties"]["KeyPolicy"] = document()
    assert allowed_in(matrix_of(closed)) == {}


def test_policies_beside_the_role_count() -> None:
    reads = document({"Action": "s3:GetObject", "Resource": bucket_arn("/compile-cache/*")})
    attached = {"PolicyName": "P", "PolicyDocument": reads, "Roles": [{"Ref": "Role"}]}
    for made in (
        {"Role": role(), "Policy": {"Type": "AWS::IAM::Policy", "Properties": attached}},
        {"Role": role(), "Policy": {"Type": "AWS::IAM::ManagedPolicy", "Properties": attached}},
        {"Role": role(ManagedPolicyArns=[{"Ref": "Policy"}]),
         "Policy": {"Type": "AWS::IAM::ManagedPolicy", "Properties": {"PolicyDocument": reads}}},
    ):  # fmt: skip
        assert allowed_in(matrix_of(templates(**made))) == {"Role": {"s3:GetObject": ("compile-cache/",)}}


def test_a_permissions_boundary_limits_and_one_outside_is_named() -> None:
    every = {"Action": "s3:*", "Resource": "*"}
    limit = {"Type": "AWS::IAM::ManagedPolicy", "Properties": {
        "PolicyDocument": document({"Action": "s3:GetObject", "Resource": bucket_arn("/checkpoints/*")})}}  # fmt: skip
    inside = templates(Role=role(every, PermissionsBoundary={"Ref": "Limit"}), Limit=limit)
    assert allowed_in(matrix_of(inside)) == {"Role": {"s3:GetObject": ("checkpoints/",)}}
    outside = matrix_of(templates(Role=role(every, PermissionsBoundary="arn:aws:iam::111122223333:policy/B")))
    assert "s3:DeleteObjectVersion" in allowed_in(outside)["Role"]
    assert outside.roles[0].boundary_not_known == "arn:aws:iam::111122223333:policy/B"


def test_a_bucket_policy_denies_and_the_decision_names_it() -> None:
    denies = {
        "Effect": "Deny",
        "Action": "s3:DeleteObject*",
        "Principal": "*",
        "Resource": bucket_arn("/*"),
        "Sid": "Keep",
    }
    policy = {"Bucket": {"Ref": "Bucket"}, "PolicyDocument": document(denies)}
    made = templates(
        Role=role({"Action": "s3:*", "Resource": "*"}),
        Policy={"Type": "AWS::S3::BucketPolicy", "Properties": policy},
    )
    deletes = [cell for cell in matrix_of(made).cells if cell.action in ("s3:DeleteObject", "s3:DeleteObjectVersion")]
    assert {(cell.decision.is_allowed, cell.decision.statements) for cell in deletes} == {(False, ("Policy[0] Keep",))}


VPCE = "aws:SourceVpce"


@pytest.mark.parametrize(
    ("made", "named"),
    [
        (role({"Action": "s3:*", "Resource": "*", "Condition": {"StringEquals": {VPCE: "v"}}}), VPCE.lower()),
        (role({"Action": "s3:*", "Resource": "*", "Condition": {"StringIs": {VPCE: "v"}}}), "StringIs"),
        (role({"Action": "s3:*", "Resource": "arn:aws:s3:::b/${aws:userid}/*"}), "aws:userid"),
        (role({"Action": "s3:*", "Resource": "*", "Condition": {"StringLike": {"s3:prefix": "${aws:userid}"}}}),
         "aws:userid"),
        (role({"Action": "s3:*", "Resource": "arn:aws:s3:::b/${aws:PrincipalTag/kubernetes-pod-name}/*"}), "pod-name"),
        (role({"Action": "s3:*", "Resource": {"Fn::ImportValue": "nowhere"}}), "Pods.0..*not known"),
        (role(ManagedPolicyArns=["arn:aws:iam::aws:policy/NoSuchPolicy"]), "NoSuchPolicy"),
        (role(ManagedPolicyArns=["arn:aws:iam::111122223333:policy/theirs"]), "policy/theirs"),
    ],
)  # fmt: skip
def test_what_cannot_be_decided_is_refused_by_name(made: dict[str, Any], named: str) -> None:
    with pytest.raises(PolicyError, match=named):
        matrix_of(templates(Role=made))


def test_statements_of_other_services_are_not_read() -> None:
    other = {"Action": "ec2:*", "Resource": {"Fn::ImportValue": "nowhere"}, "Condition": {"StringIs": {"x": "y"}}}
    assert allowed_in(matrix_of(templates(Role=role(other)))) == {}


def test_a_bucket_whose_key_is_not_in_the_templates_is_refused() -> None:
    made = templates()
    del made["stack"]["Resources"]["Bucket"]["Properties"]["BucketEncryption"]
    with pytest.raises(PolicyError, match="stack-bucket is encrypted"):
        matrix_of(made)


def test_the_role_of_aws_backup_reads_and_deletes_nothing() -> None:
    """Its policies name encryption contexts of other services, which S3 does not set."""
    policies = ("service-role/AWSBackupServiceRolePolicyForBackup", "AWSBackupServiceRolePolicyForS3Backup")
    made = role(ManagedPolicyArns=[f"arn:aws:iam::aws:policy/{name}" for name in policies])
    allowed = allowed_in(matrix_of(templates(Role=made)))["Role"]
    assert set(allowed) == {
        "s3:ListBucket",
        "s3:GetObject",
        "s3:GetObjectVersion",
        "s3:PutBucketNotification",
        "kms:Decrypt",
    }
