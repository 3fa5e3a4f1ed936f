"""A file system of S3 Files over a prefix of the checkpoint bucket, with its mount targets and its role."""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3files as s3files
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.s3_files_plan import S3_FILES_FOLDER, S3_FILES_USER, S3FilesPlan
from stacks.constructs.acknowledgement import acknowledge, policy_of_one_role, wide_resource_findings

SERVICE = "elasticfilesystem.amazonaws.com"
"""S3 Files assumes the role, and manages its rules, under this name."""
OBJECT_ACTIONS = (
    "s3:AbortMultipartUpload",
    "s3:DeleteObject",
    "s3:DeleteObjectVersion",
    "s3:GetObject",
    "s3:GetObjectAttributes",
    "s3:GetObjectTagging",
    "s3:GetObjectVersion",
    "s3:GetObjectVersionAttributes",
    "s3:GetObjectVersionTagging",
    "s3:ListMultipartUploadParts",
    "s3:PutObject",
    "s3:PutObjectTagging",
)
KEY_ACTIONS = ("kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey", "kms:ReEncryptFrom", "kms:ReEncryptTo")
MANAGE_RULES = (
    "events:DeleteRule",
    "events:DisableRule",
    "events:EnableRule",
    "events:PutRule",
    "events:PutTargets",
    "events:RemoveTargets",
)
READ_RULES = ("events:DescribeRule", "events:ListRuleNamesByTarget", "events:ListRules", "events:ListTargetsByRule")


class S3FilesSystem(Construct):
    """Kept with the bucket: it holds what is written and not exported yet.

    Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-files-prereq-policies.html
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        plan: S3FilesPlan,
        environment: ClusterPlan,
        *,
        bucket_arn: str,
        key_arn: str,
        subnet_ids: Mapping[str, str],
        security_group_id: str,
        removal_policy: cdk.RemovalPolicy,
    ) -> None:
        super().__init__(scope, construct_id)
        role = self._role(plan, environment, bucket_arn=bucket_arn, key_arn=key_arn)
        file_system = s3files.CfnFileSystem(
            self,
            "FileSystem",
            bucket=bucket_arn,
            prefix=plan.prefix,
            kms_key_id=key_arn,
            role_arn=role.role_arn,
            tags=[cdk.CfnTag(key="Name", value=environment.name)],
        )
        file_system.apply_removal_policy(removal_policy)
        self.file_system_id = file_system.attr_file_system_id
        self.file_system_arn = file_system.attr_file_system_arn
        for zone_id in plan.zone_ids:
            s3files.CfnMountTarget(
                self,
                f"MountTarget {zone_id}",
                file_system_id=self.file_system_id,
                subnet_id=subnet_ids[zone_id],
                security_groups=[security_group_id],
            )

        access_point = self._access_point()
        self.access_point_id = access_point.attr_access_point_id
        """Id of the access point through which pods mount the file system."""
        self.access_point_arn = access_point.attr_access_point_arn

    def _access_point(self) -> s3files.CfnAccessPoint:
        """It holds no data."""
        user = str(S3_FILES_USER)
        return s3files.CfnAccessPoint(
            self,
            "AccessPoint",
            file_system_id=self.file_system_id,
            posix_user=s3files.CfnAccessPoint.PosixUserProperty(uid=user, gid=user),
            root_directory=s3files.CfnAccessPoint.RootDirectoryProperty(
                path=f"/{S3_FILES_FOLDER}",
                creation_permissions=s3files.CfnAccessPoint.CreationPermissionsProperty(
                    owner_uid=user, owner_gid=user, permissions="0770"
                ),
            ),
        )

    def _role(self, plan: S3FilesPlan, environment: ClusterPlan, *, bucket_arn: str, key_arn: str) -> iam.Role:
        place = f"{environment.region}:{environment.account}"
        file_systems = f"arn:{environment.partition}:s3files:{place}:file-system/*"
        rules = f"arn:{environment.partition}:events:{place}:rule/"
        wide = (f"{bucket_arn}/{plan.prefix}*", f"{rules}DO-NOT-DELETE-S3-Files*", f"{rules}*")
        role = iam.Role(
            self,
            "Role",
            description=f"S3 Files of {environment.name}: objects below {plan.prefix}, and event rules of its own",
            assumed_by=iam.ServicePrincipal(
                SERVICE,
                conditions={
                    "StringEquals": {"aws:SourceAccount": environment.account},
                    "ArnLike": {"aws:SourceArn": file_systems},
                },
            ),
            inline_policies={
                "Objects": _objects(plan, environment, bucket_arn, wide[0], key_arn),
                "Rules": _rules(wide[1], wide[2]),
            },
        )
        why = "Files have names of the user's own, and S3 Files makes its event rules with names of its own."
        acknowledge(role, dict.fromkeys(wide_resource_findings(self, wide), why) | policy_of_one_role())
        return role


def _objects(
    plan: S3FilesPlan, environment: ClusterPlan, bucket_arn: str, objects: str, key_arn: str
) -> iam.PolicyDocument:
    """Objects of the prefix alone, and the key that they are encrypted with."""
    statements = [
        iam.PolicyStatement(
            actions=["s3:ListBucket", "s3:ListBucketVersions"],
            resources=[bucket_arn],
            conditions={"StringLike": {"s3:prefix": f"{plan.prefix}*"}},
        ),
        iam.PolicyStatement(actions=list(OBJECT_ACTIONS), resources=[objects]),
        iam.PolicyStatement(
            actions=list(KEY_ACTIONS),
            resources=[key_arn],
            conditions={"StringEquals": {"kms:ViaService": f"s3.{environment.region}.amazonaws.com"}},
        ),
    ]
    return iam.PolicyDocument(statements=statements)


def _rules(own_rules: str, all_rules: str) -> iam.PolicyDocument:
    """EventBridge rules that report changes of objects; those of S3 Files alone are changed."""
    statements = [
        iam.PolicyStatement(
            actions=list(MANAGE_RULES),
            resources=[own_rules],
            conditions={"StringEquals": {"events:ManagedBy": SERVICE}},
        ),
        iam.PolicyStatement(actions=list(READ_RULES), resources=[all_rules]),
    ]
    return iam.PolicyDocument(statements=statements)
