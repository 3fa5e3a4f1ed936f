"""The AMI of Slurm nodes, completely decided: what it is built from, and what is installed in it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.catalog.slurm_software import ENROOT


class SlurmImagePlan(Struct, frozen=True, kw_only=True):
    """The AMI that `neuron-cluster image build` builds for the file and its lock."""

    environment: str
    region: str
    dlami: str
    parent: str | None
    """AMI id of the Deep Learning AMI that the lock pins; None where it pins none."""
    operating_system: str
    root_device_name: str
    slurm_version: str
    software: Mapping[str, str]
    """Version by row of the catalog's ``software``, in the order of installation."""
    has_lustre: bool
    """Whether the catalog has a Lustre client for the operating system."""
    efs_package: str | None = None
    """Package of the EFS mount helper; None where the operating system has none."""
    needs_efs: bool = False
    """Whether nodes mount EFS: a build without the mount helper then fails."""
    needs_lustre: bool = False
    """Whether nodes mount Lustre: a build without a client for the kernel then fails."""
    missing: tuple[str, ...] = ()
    """Software that the image will not have, and why."""
    instance_type: str
    """Type of the build instance: that of the login group, which runs the image too."""
    own_image: str | None = None
    """AMI id of the file, from which the nodes start instead."""
    zone_id: str
    """Zone of the build instance: the first one of the login group, where its type is sold."""

    @property
    def name(self) -> str:
        """Name of recipe, pipeline and the log group of builds."""
        return f"{self.environment}-slurm"

    @property
    def has_containers(self) -> bool:
        """Whether enroot and pyxis are installed."""
        return ENROOT in self.software

    def row(self, kind: str) -> str:
        """Name of the row of the catalog's ``software`` that is of this kind: ``INSTALLER`` or ``PYXIS``."""
        return next(name for name in self.software if name.startswith(f"{kind}_"))
