"""S3 Express One Zone."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel, WholeNumber, ZoneId


class ExpressBucket(ClosedModel):
    """An encrypted directory bucket of S3 Express One Zone. It survives `destroy`."""

    availability_zone: ZoneId = Field(description="Zone id; use the zone of the nodes that write to it.")
    expiration_days: Annotated[WholeNumber, Field(ge=1, le=3_650)] | None = Field(
        default=None,
        description="Days after which an object is deleted: the bucket keeps no versions. Absent: never.",
        examples=[7],
    )
    abort_incomplete_upload_days: Annotated[WholeNumber, Field(ge=1, le=365)] = Field(
        default=7, description="Days after which an incomplete multipart upload is deleted.", examples=[7]
    )
