"""Images of SageMaker HyperPod's nodes."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.catalog.sourced_row import SourcedRow


class HyperPodSlurm(Struct, frozen=True, kw_only=True):
    """Slurm of the image: its major version, and where it is."""

    version: str
    commands: str
    """Folder of sbatch and scontrol."""
    configuration: str
    """Folder of slurm.conf on the controller."""
    user: str
    """The first user of the image."""


class HyperPodAmi(SourcedRow, frozen=True, kw_only=True):
    """The images for one orchestrator (``name``): ``eks`` or ``slurm``. None means that no source states it."""

    operating_system: str | None
    neuron_driver: str | None
    logical_nc_config: int | None
    """LNC that the image sets."""
    volume_group: str
    """The LVM volume group that the image makes of the local disks: no other software may claim them."""
    mount_path: str
    """Where the additional EBS volume, or the volume group, is mounted."""
    has_release_versions: bool
    """Whether ``ImageReleaseVersion`` of a group can pin the image."""
    slurm: HyperPodSlurm | None = None
    """None for the image of nodes of EKS."""

    def require_slurm(self) -> HyperPodSlurm:
        """Slurm of the image. Raises ``LookupError`` for one without it."""
        if self.slurm is None:
            raise LookupError(f"the HyperPod image for {self.name} has no Slurm")
        return self.slurm
