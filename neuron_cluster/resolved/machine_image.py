"""What the machines of a group take from their image."""

from __future__ import annotations

from msgspec import Struct


class MachineImage(Struct, frozen=True):
    """Facts of one kind of image."""

    name: str
    """AMI type of a node group, name of a DLAMI."""
    root_device_name: str | None
    """None where no source says it."""
    root_volume_gib: int | None
    """Size of the root volume where neither the file nor the instance type says one."""
    joins_local_disks: bool = False
    """Whether the image can join the NVMe disks of a machine at first boot."""
