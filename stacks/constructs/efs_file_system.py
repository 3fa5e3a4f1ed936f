"""An EFS file system with its mount targets and access points."""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk
from aws_cdk import aws_efs as efs
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.efs_plan import AccessPointPlan, EfsPlan
from stacks.constructs.acknowledgement import acknowledge, in_nist

CLIENT_ACTIONS = ("elasticfilesystem:ClientMount", "elasticfilesystem:ClientWrite")
ROOT_ACCESS = "elasticfilesystem:ClientRootAccess"
"""Granted to no client: each one is the user of its access point."""


class EfsFileSystem(Construct):
    """Clients need no IAM identity: security groups admit their machines, and the policy admits access points alone.

    Mount targets and access points hold no data, and go with their stack.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        plan: EfsPlan,
        environment: ClusterPlan,
        *,
        key_arn: str,
        subnet_ids: Mapping[str, str],
        security_group_id: str,
        removal_policy: cdk.RemovalPolicy,
        is_backed_up: bool = False,
    ) -> None:
        super().__init__(scope, construct_id)
        file_system = efs.CfnFileSystem(
            self,
            "FileSystem",
            encrypted=True,
            kms_key_id=key_arn,
            performance_mode="generalPurpose",
            throughput_mode=plan.throughput_mode,
            backup_policy=efs.CfnFileSystem.BackupPolicyProperty(status="ENABLED" if plan.has_backup else "DISABLED"),
            file_system_policy=_through_access_points(environment),
            file_system_tags=[_name(environment.name)],
        )
        file_system.apply_removal_policy(removal_policy)
        if not is_backed_up:
            reason = "The key `backup` enables the default plan of EFS, which selects by a tag."
            acknowledge(file_system, in_nist("EFSInBackupPlan", reason))
        self.file_system_id = file_system.ref
        for zone_id in plan.zone_ids:
            efs.CfnMountTarget(
                self,
                f"MountTarget {zone_id}",
                file_system_id=file_system.ref,
                subnet_id=subnet_ids[zone_id],
                security_groups=[security_group_id],
            )
        self.access_point_ids = {each.name: self._access_point(each, environment) for each in plan.access_points}
        """Ids by the name of the access point."""

    def _access_point(self, plan: AccessPointPlan, environment: ClusterPlan) -> str:
        uid, gid = str(plan.uid), str(plan.gid)
        point = efs.CfnAccessPoint(
            self,
            f"AccessPoint {plan.name}",
            file_system_id=self.file_system_id,
            posix_user=efs.CfnAccessPoint.PosixUserProperty(uid=uid, gid=gid),
            root_directory=efs.CfnAccessPoint.RootDirectoryProperty(
                path=plan.folder,
                creation_info=efs.CfnAccessPoint.CreationInfoProperty(
                    owner_uid=uid, owner_gid=gid, permissions=plan.mode
                ),
            ),
            access_point_tags=[
                efs.CfnAccessPoint.AccessPointTagProperty(key="Name", value=f"{environment.name} {plan.name}")
            ],
        )
        return point.ref


def _name(name: str) -> efs.CfnFileSystem.ElasticFileSystemTagProperty:
    return efs.CfnFileSystem.ElasticFileSystemTagProperty(key="Name", value=name)


def _through_access_points(plan: ClusterPlan) -> dict[str, object]:
    """Access points refer to the file system, so a policy that names them one by one would be a cycle.

    A key that a request does not have fulfils ``StringNotLike``: a mount without an access point is denied.
    Source: https://docs.aws.amazon.com/efs/latest/ug/iam-access-control-nfs-efs.html
    """
    points = f"arn:{plan.partition}:elasticfilesystem:{plan.region}:{plan.account}:access-point/*"
    everyone = {"AWS": "*"}
    all_actions = [*CLIENT_ACTIONS, ROOT_ACCESS]
    statements = [
        {
            "Sid": "ClientsOfAccessPoints",
            "Effect": "Allow",
            "Principal": everyone,
            "Action": list(CLIENT_ACTIONS),
            "Condition": {
                "Bool": {"elasticfilesystem:AccessedViaMountTarget": "true"},
                "StringLike": {"elasticfilesystem:AccessPointArn": points},
            },
        },
        {
            "Sid": "NoMountWithoutAccessPoint",
            "Effect": "Deny",
            "Principal": everyone,
            "Action": all_actions,
            "Condition": {"StringNotLike": {"elasticfilesystem:AccessPointArn": points}},
        },
        {"Sid": "NoRoot", "Effect": "Deny", "Principal": everyone, "Action": [ROOT_ACCESS]},
        {
            "Sid": "TlsAlone",
            "Effect": "Deny",
            "Principal": everyone,
            "Action": all_actions,
            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
        },
    ]
    return {"Version": "2012-10-17", "Statement": statements}
