"""Images of SageMaker HyperPod's nodes."""

from __future__ import annotations

from neuron_cluster.catalog.sourced_row import SourcedRow


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
