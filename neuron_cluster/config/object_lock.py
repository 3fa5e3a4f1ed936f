"""S3 Object Lock of the checkpoint bucket."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel, WholeNumber


class ObjectLockMode(enum.StrEnum):
    """What ends a retention before its time."""

    GOVERNANCE = "governance"
    COMPLIANCE = "compliance"


class ObjectLock(ClosedModel):
    """Default retention of new objects, in the whole bucket. S3 never disables Object Lock again."""

    mode: ObjectLockMode = Field(
        description="governance: s3:BypassGovernanceRetention deletes earlier. compliance: nothing does.",
        examples=["governance"],
    )
    days: Annotated[WholeNumber, Field(ge=1, le=36_500)] = Field(
        description="Days for which a version of an object cannot be deleted.", examples=[7]
    )
