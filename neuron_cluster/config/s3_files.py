"""A file system of S3 Files over the checkpoint bucket."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.lustre import PREFIX_PATTERN
from neuron_cluster.config.scalars import ClosedModel


class S3Files(ClosedModel):
    """A file system of S3 Files: NFS over a prefix of the checkpoint bucket. It survives `destroy`."""

    prefix: Annotated[str, Field(pattern=PREFIX_PATTERN, max_length=900)] = Field(
        default="files",
        description="Prefix in the checkpoint bucket, without slashes at the ends. Its objects are the files.",
        examples=["files"],
    )
