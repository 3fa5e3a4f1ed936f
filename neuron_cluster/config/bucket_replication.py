"""Replication of the checkpoint bucket."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.lustre import Prefix
from neuron_cluster.config.scalars import ACCOUNT_PATTERN, REGION_PATTERN, ClosedModel, Switch, text_or_number

BUCKET_PATTERN = r"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$"
KEY_ARN_PATTERN = r"^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/[a-z0-9-]{1,64}$"


class BucketReplication(ClosedModel):
    """Copies of new objects in a bucket that exists, with versioning, in another Region or account."""

    bucket: Annotated[str, Field(pattern=BUCKET_PATTERN)] = Field(
        description="Name of the target bucket, which you create.", examples=["checkpoints-replica"]
    )
    region: Annotated[str, Field(pattern=REGION_PATTERN)] = Field(
        description="Region of the target bucket.", examples=["us-east-2"]
    )
    account: Annotated[str, Field(pattern=ACCOUNT_PATTERN), text_or_number(ACCOUNT_PATTERN)] | None = Field(
        default=None,
        description="Account of the target bucket, which then owns the copies. Default: that of the environment.",
        examples=["444455556666"],
    )
    key_arn: Annotated[str, Field(pattern=KEY_ARN_PATTERN)] = Field(
        description="KMS key in the Region of the target bucket, with which copies are encrypted.",
        examples=["arn:aws:kms:us-east-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"],
    )
    prefixes: Annotated[list[Prefix], Field(min_length=1)] = Field(
        default=["golden"],
        description="Prefixes whose new objects are copied, without slashes at the ends. golden: checkpoints that are "
        "kept; the prefix of sync would copy each checkpoint.",
        examples=[["golden"]],
    )
    delete_markers: Switch = Field(
        default=False,
        description="Copy delete markers too: what is deleted here is then hidden there.",
        examples=[False],
    )
    time_control: Switch = Field(
        default=False, description="S3 Replication Time Control: metrics, and a target of 15 minutes.", examples=[True]
    )
