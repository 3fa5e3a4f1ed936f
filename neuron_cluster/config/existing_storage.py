"""A bucket that exists: its owner manages it, an environment only refers to it."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel

BUCKET_PATTERN = r"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$"
"""https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html"""
KEY_PATTERN = r"^arn:aws(-[a-z]+)*:kms:[a-z]{2}(-[a-z]+)+-[0-9]:[0-9]{12}:key/[A-Za-z0-9-]{1,64}$"

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
