"""A bucket and a file system that exist: their owners manage them, an environment only refers to them."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel

BUCKET_PATTERN = r"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$"
"""https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html"""
KEY_PATTERN = r"^arn:aws(-[a-z]+)*:kms:[a-z]{2}(-[a-z]+)+-[0-9]:[0-9]{12}:key/[A-Za-z0-9-]{1,64}$"

FILE_SYSTEM_PATTERN = r"^fs-[0-9a-f]{17}$"
MOUNT_NAME_PATTERN = r"^[a-z0-9_]{1,8}$"
"""FSx API, LustreFileSystemMountName; boto/botocore 1.44.5."""
DNS_NAME_PATTERN = r"^[a-z0-9.-]{16,275}$"
GROUP_PATTERN = r"^sg-([0-9a-f]{8}|[0-9a-f]{17})$"

KeyArn = Annotated[str, Field(pattern=KEY_PATTERN)]
KEY_EXAMPLE = "arn:aws:kms:us-west-2:111122223333:key/12345678-90ab-cdef-1234-567890abcdef"


class ExistingBucket(ClosedModel):
    """A bucket of the account. No deploy sets a policy, lifecycle rule, notification or encryption on it."""

    name: Annotated[str, Field(pattern=BUCKET_PATTERN)] = Field(
        description="Name of the bucket, in the Region of the environment.", examples=["team-checkpoints"]
    )
    key_arn: KeyArn | None = Field(
        default=None,
        description="ARN of the KMS key that the bucket is encrypted with. Absent: SSE-S3, without a key.",
        examples=[KEY_EXAMPLE],
    )


class ExistingLustre(ClosedModel):
    """An FSx for Lustre file system of the account. No deploy creates, changes, tags or deletes it."""

    file_system_id: Annotated[str, Field(pattern=FILE_SYSTEM_PATTERN)] = Field(
        description="Id of the file system.", examples=["fs-0123456789abcdef0"]
    )
    dns_name: Annotated[str, Field(pattern=DNS_NAME_PATTERN)] = Field(
        description="Its DNS name.", examples=["fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com"]
    )
    mount_name: Annotated[str, Field(pattern=MOUNT_NAME_PATTERN)] = Field(
        description="Its Lustre mount name.", examples=["fsx"]
    )
    security_group_id: Annotated[str, Field(pattern=GROUP_PATTERN)] = Field(
        description="Security group of its network interfaces. Its owner admits the nodes on TCP 988 and 1018 to 1023.",
        examples=["sg-0123456789abcdef0"],
    )
