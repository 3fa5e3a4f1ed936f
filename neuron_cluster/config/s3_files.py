"""A file system of S3 Files over the checkpoint bucket."""

from pydantic import Field

from neuron_cluster.config.lustre import Prefix
from neuron_cluster.config.scalars import ClosedModel


class S3Files(ClosedModel):
    """A file system of S3 Files: NFS over a prefix of the checkpoint bucket. It survives `destroy`."""

    prefix: Prefix = Field(
        default="files",
        description="Prefix in the checkpoint bucket, without slashes at the ends. Its objects are the files.",
        examples=["files"],
    )
