"""The storage stack: everything with state, and its key. Nothing here is deleted or replaced by a change elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_fsx as fsx
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct

from neuron_cluster.plan.backup_plan import BackupPlan
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK, STORAGE
from neuron_cluster.plan.efs_plan import EfsPlan
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.replication_plan import ReplicationPlan
from neuron_cluster.plan.s3_files_plan import S3FilesPlan
from neuron_cluster.plan.storage_plan import (
    AssociationPlan,
    BucketPlan,
    ExpressPlan,
    HomePlan,
    LustrePlan,
    StoragePlan,
)
from stacks.constructs.acknowledgement import acknowledge, in_nist
from stacks.constructs.backup_vault import BackupVault
from stacks.constructs.bucket_replication import BucketReplication
from stacks.constructs.data_bucket import accept_single_copy, data_bucket
from stacks.constructs.data_key import DataKey
from stacks.constructs.efs_file_system import EfsFileSystem
from stacks.constructs.express_bucket import ExpressBucket
from stacks.constructs.lustre_file_system import lustre_file_system
from stacks.constructs.retained import RETAINED
from stacks.constructs.s3_files_system import S3FilesSystem
from stacks.environment_stack import EnvironmentStack
from stacks.network import NetworkStack
from stacks.stack_context import StackContext, planned


def build(context: StackContext) -> StorageStack:
    plan = context.plan
    return StorageStack(context.scope, plan, planned(plan.storage), context.stack(NETWORK, NetworkStack))


class StorageStack(EnvironmentStack):
    """The checkpoint bucket, the Lustre file system, the homes of workstations, and the key that all refer to."""

    def __init__(self, scope: Construct, plan: ClusterPlan, storage: StoragePlan, network: NetworkStack) -> None:
        super().__init__(scope, STORAGE.stack_key, plan)
        self._name = plan.stack_name(STORAGE.stack_key)
        self._partition = plan.partition
        self._key = self._data_key(plan, storage)
        self.key_arn = self._key.key_arn
        """The data key, as a token; the ARN of one that exists."""
        self.bucket_key_arn = self.key_arn
        """The key of the checkpoint bucket; without one, where it exists with SSE-S3, the data key."""
        self.bucket_arn: str | None = None
        """The checkpoint bucket as other stacks import it."""
        self.lustre_names: tuple[str, str, str] | None = None
        """Id, DNS name and mount name of the Lustre file system, as tokens."""
        self._bucket = self._bucket_of(storage.bucket, plan) if storage.bucket else None
        if storage.lustre is not None:
            self._lustre(storage.lustre, network)
        self.express_arn = self._express_bucket(storage.express) if storage.express else None
        """The directory bucket as other stacks import it."""
        backup = storage.backup
        is_backed_up = backup is not None and backup.takes_efs
        self.efs = self._efs_file_system(storage.efs, plan, network, is_backed_up) if storage.efs else None
        self.s3_files: S3FilesSystem | None = None
        if storage.s3_files is not None and isinstance(self._bucket, s3.Bucket):
            self.s3_files = self._s3_files(storage.s3_files, plan, network, self._bucket)
        backed_up = backup.homes if backup is not None else ()
        self._homes = {home.name: self._home(home, is_backed_up=home.name in backed_up) for home in storage.homes}
        if backup is not None:
            self._backup_vault(backup)

    def home_id(self, name: str) -> str:
        """The volume of this home, as a token."""
        return self._homes[name]

    def _data_key(self, plan: ClusterPlan, storage: StoragePlan) -> kms.IKey:
        if storage.key_arn is not None:
            return kms.Key.from_key_arn(self, "DataKey", storage.key_arn)
        key = DataKey(self, "DataKey", plan, removal_policy=RETAINED).key
        self.publish(key.key_arn)
        return key

    def _bucket_of(self, plan: BucketPlan, environment: ClusterPlan) -> s3.IBucket:
        if plan.existing is None:
            return self._checkpoint_bucket(plan)
        self.bucket_arn = f"arn:{environment.partition}:s3:::{plan.existing.name}"
        self.bucket_key_arn = plan.existing.key_arn or self.key_arn
        cdk.CfnOutput(self, "CheckpointBucket", value=plan.existing.name, description="Bucket for checkpoints")
        return s3.Bucket.from_bucket_arn(self, "Checkpoints", self.bucket_arn)

    def _checkpoint_bucket(self, plan: BucketPlan) -> s3.Bucket:
        bucket = data_bucket(self, "Checkpoints", plan, key=self._key, removal_policy=RETAINED)
        self._replicate(bucket, plan.replication, has_object_lock=plan.object_lock is not None)
        name = bucket.bucket_name
        self.publish(name)
        self.bucket_arn = self.export_value(bucket.bucket_arn)
        cdk.CfnOutput(self, "CheckpointBucket", value=name, description="Bucket for checkpoints")
        return bucket

    def _replicate(self, bucket: s3.Bucket, plan: ReplicationPlan | None, *, has_object_lock: bool) -> None:
        if plan is None:
            accept_single_copy(bucket)
            return
        BucketReplication(
            self,
            "Replication",
            plan,
            bucket=bucket,
            key_arn=self.key_arn,
            partition=self._partition,
            region=self.region,
            has_object_lock=has_object_lock,
        )

    def _express_bucket(self, plan: ExpressPlan) -> str:
        bucket = ExpressBucket(self, "Express", plan, key_arn=self.key_arn, removal_policy=RETAINED)
        self.publish(bucket.bucket_name)
        cdk.CfnOutput(self, "ExpressBucket", value=bucket.bucket_name, description="S3 Express One Zone bucket")
        return self.export_value(bucket.bucket_arn)

    def _efs_file_system(
        self, plan: EfsPlan, environment: ClusterPlan, network: NetworkStack, is_backed_up: bool
    ) -> EfsFileSystem:
        file_system = EfsFileSystem(
            self,
            "Efs",
            plan,
            environment,
            key_arn=self.key_arn,
            subnet_ids=_subnet_ids(network, plan.zone_ids),
            security_group_id=network.group_id(SecurityGroupRole.EFS),
            removal_policy=RETAINED,
            is_backed_up=is_backed_up,
        )
        self.publish(file_system.file_system_id, *file_system.access_point_ids.values())
        cdk.CfnOutput(self, "EfsFileSystem", value=file_system.file_system_id, description="EFS file system")
        return file_system

    def _s3_files(
        self, plan: S3FilesPlan, environment: ClusterPlan, network: NetworkStack, bucket: s3.Bucket
    ) -> S3FilesSystem:
        file_system = S3FilesSystem(
            self,
            "S3Files",
            plan,
            environment,
            bucket_arn=bucket.bucket_arn,
            key_arn=self.key_arn,
            subnet_ids=_subnet_ids(network, plan.zone_ids),
            security_group_id=network.group_id(SecurityGroupRole.EFS),
            removal_policy=RETAINED,
        )
        self.publish(
            file_system.file_system_id,
            file_system.file_system_arn,
            file_system.access_point_id,
            file_system.access_point_arn,
        )
        cdk.CfnOutput(self, "S3FileSystem", value=file_system.file_system_id, description="S3 Files file system")
        return file_system

    def _lustre(self, plan: LustrePlan, network: NetworkStack) -> None:
        if plan.existing is not None:
            self.lustre_names = plan.existing.names
        else:
            self.lustre_names = lustre_file_system(
                self,
                "Lustre",
                plan,
                name=self._name,
                subnet_id=network.private_subnet_id(plan.zone_id),
                security_group_id=network.group_id(SecurityGroupRole.LUSTRE),
                key_arn=self.key_arn,
                removal_policy=RETAINED,
            )
            self.publish(*(self.lustre_names[position] for position in (0, 2, 1)))
        file_system_id, _, mount_name = self.lustre_names
        cdk.CfnOutput(self, "LustreFileSystem", value=file_system_id, description="FSx for Lustre file system")
        cdk.CfnOutput(self, "LustreMountName", value=mount_name, description="Its mount name")
        if plan.association is not None and self._bucket is not None:
            self._association(plan.association, file_system_id, self._bucket)

    def _association(self, plan: AssociationPlan, file_system_id: str, bucket: s3.IBucket) -> None:
        """Both ways: new objects appear as files, new files are written to the bucket."""
        events = ["NEW", "CHANGED", "DELETED"] if plan.mirrors else ["NEW", "CHANGED"]
        association = fsx.CfnDataRepositoryAssociation(
            self,
            "Sync",
            file_system_id=file_system_id,
            file_system_path=plan.file_system_path,
            data_repository_path=f"s3://{bucket.bucket_name}/{plan.prefix}/",
            batch_import_meta_data_on_create=True,
            s3=fsx.CfnDataRepositoryAssociation.S3Property(
                auto_import_policy=fsx.CfnDataRepositoryAssociation.AutoImportPolicyProperty(events=events),
                auto_export_policy=fsx.CfnDataRepositoryAssociation.AutoExportPolicyProperty(events=events),
            ),
        )
        policy = bucket.policy
        if policy is not None:
            association.node.add_dependency(policy)

    def _backup_vault(self, plan: BackupPlan) -> None:
        resources = {f"home {name}": f"{self._arn_of('ec2', 'volume')}/{self._homes[name]}" for name in plan.homes}
        if plan.takes_lustre and self.lustre_names is not None:
            resources["lustre"] = f"{self._arn_of('fsx', 'file-system')}/{self.lustre_names[0]}"
        if plan.takes_bucket and self._bucket is not None:
            resources["checkpoint-bucket"] = self._bucket.bucket_arn
        if plan.takes_efs and self.efs is not None:
            resources["efs"] = f"{self._arn_of('elasticfilesystem', 'file-system')}/{self.efs.file_system_id}"
        vault = BackupVault(self, "Backup", plan, key_arn=self.key_arn, resources=resources, removal_policy=RETAINED)
        cdk.CfnOutput(self, "BackupVault", value=vault.vault_name, description="Vault of AWS Backup")

    def _arn_of(self, service: str, kind: str) -> str:
        return f"arn:{self._partition}:{service}:{self.region}:{self.account}:{kind}"

    def _home(self, plan: HomePlan, *, is_backed_up: bool) -> str:
        """A volume of its own, so that the instance on which it is mounted can go."""
        volume = ec2.CfnVolume(
            self,
            f"Home {plan.name}",
            availability_zone_id=plan.zone_id,
            size=plan.size_gib,
            volume_type="gp3",
            encrypted=True,
            kms_key_id=self.key_arn,
            tags=[cdk.CfnTag(key="Name", value=f"{self._name} home {plan.name}")],
        )
        volume.apply_removal_policy(RETAINED)
        if not is_backed_up:
            reason = "AWS Backup belongs to the account: a plan there takes homes by their tags."
            acknowledge(volume, in_nist("EC2EBSInBackupPlan", reason))
        volume_id = volume.ref
        self.publish(volume_id)
        return volume_id


def _subnet_ids(network: NetworkStack, zone_ids: Sequence[str]) -> dict[str, str]:
    return {zone_id: network.private_subnet_id(zone_id) for zone_id in zone_ids}
