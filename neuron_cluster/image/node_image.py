"""An AMI of nodes as the recipe reads it, whichever provider starts the nodes."""

from __future__ import annotations

from typing import Protocol


class NodeImage(Protocol):
    """The plan of one AMI. Each provider whose nodes have one has such a plan."""

    @property
    def name(self) -> str:
        """Name of the recipe, and the start of the names of its components."""
        ...

    @property
    def parent(self) -> str | None:
        """AMI id of the Deep Learning AMI that the lock pins; None where it pins none."""
        ...

    @property
    def operating_system(self) -> str: ...

    @property
    def root_device_name(self) -> str: ...

    @property
    def has_lustre(self) -> bool:
        """Whether the catalog has a Lustre client for the operating system."""
        ...

    @property
    def efs_package(self) -> str | None:
        """Package of the EFS mount helper; None where the operating system has none."""
        ...

    @property
    def needs_efs(self) -> bool:
        """Whether nodes mount EFS: a build without the mount helper then fails."""
        ...

    @property
    def needs_lustre(self) -> bool:
        """Whether nodes mount Lustre: a build without a client for the kernel then fails."""
        ...
