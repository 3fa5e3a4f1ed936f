"""Everything that holds data: buckets, file systems, home directories."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.backup import Backup
from neuron_cluster.config.checkpoint_bucket import CheckpointBucket, CompileCache
from neuron_cluster.config.checkpoints import Checkpoints
from neuron_cluster.config.efs import Efs
from neuron_cluster.config.existing_storage import KEY_EXAMPLE, KeyArn
from neuron_cluster.config.express import ExpressBucket
from neuron_cluster.config.lustre import Lustre
from neuron_cluster.config.s3_files import S3Files
from neuron_cluster.config.scalars import ClosedModel, GroupName, WholeNumber, ZoneId


class Home(ClosedModel):
    """An encrypted EBS volume for the home directory of one workstation at a time. It survives `destroy`."""

    name: GroupName = Field(description="Name of the home, unique in the environment.", examples=["alice"])
    availability_zone: ZoneId = Field(description="Zone id. The volume and its workstation are in one zone.")
    size_gib: Annotated[WholeNumber, Field(ge=1, le=16_384)] = Field(
        description="Size in GiB. It can grow later, never shrink.", examples=[200]
    )


class Storage(ClosedModel):
    """Data. A change to another section does not delete or replace it."""

    key_arn: KeyArn | None = Field(
        default=None,
        description="ARN of a KMS key that exists, for everything that the storage stack encrypts; its policy needs "
        "the statements that `plan --details` prints. Absent: a key is created.",
        examples=[KEY_EXAMPLE],
    )
    checkpoint_bucket: CheckpointBucket | None = Field(
        default=None,
        description="S3 bucket for checkpoints and compiled graphs; the toolkit generates its name. Absent: none.",
        examples=[{}],
    )
    compile_cache: CompileCache | None = Field(
        default=None,
        description="Shared cache of compiled graphs in the checkpoint bucket, with its roles. Absent: none.",
        examples=[{}],
    )
    lustre: Lustre | None = Field(default=None, description="Shared file system for training. Absent: none.")
    express: ExpressBucket | None = Field(
        default=None,
        description="S3 Express One Zone bucket in the zone of the nodes; its name is generated. Absent: none.",
        examples=[{"availability_zone": "usw2-az4"}],
    )
    efs: Efs | None = Field(
        default=None,
        description="EFS file system for homes, small files and caches, not for checkpoints of whole models. "
        "Absent: none.",
        examples=[{"access_points": [{"name": "home", "path": "/home"}]}],
    )
    s3_files: S3Files | None = Field(
        default=None,
        description="File system of S3 Files: NFS over a prefix of the checkpoint bucket. Absent: none.",
        examples=[{"prefix": "files"}],
    )
    checkpoints: Checkpoints | None = Field(
        default=None,
        description="What training jobs save, for the sizes, times and costs of `plan`. Absent: not planned.",
        examples=[{"model": "llama-3.1-70b", "framework": "dcp", "mode": "async"}],
    )
    homes: list[Home] = Field(
        default=[],
        description="Home directories that outlive the workstations on which they are mounted.",
        examples=[[{"name": "alice", "availability_zone": "usw2-az1", "size_gib": 200}]],
    )
    backup: Backup | None = Field(
        default=None,
        description="Recovery points in a vault of AWS Backup. Absent: none.",
        examples=[
            {
                "resources": ["homes"],
                "rules": [{"name": "daily", "schedule": "cron(0 5 ? * * *)", "delete_after_days": 35}],
            }
        ],
    )

    @property
    def creates_data(self) -> bool:
        """Whether a deploy creates something that holds data."""
        bucket = self.checkpoint_bucket is not None and self.checkpoint_bucket.existing is None
        lustre = self.lustre is not None and self.lustre.existing is None
        return bool(bucket or lustre or self.express or self.efs or self.backup or self.homes)
