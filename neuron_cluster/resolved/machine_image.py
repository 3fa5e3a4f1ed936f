"""The image of the instances of a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from neuron_cluster.catalog.dlami import Dlami


class MachineImage(Struct, frozen=True):
    """Facts of one kind of image."""

    name: str
    """AMI type of a node group, name of a DLAMI."""
    root_device_name: str | None
    """None where no source has it."""
    root_volume_gib: int | None
    """Size of the root volume where neither the file nor the instance type has one."""
    operating_system: str | None = None
    """None where no source has it."""
    joins_local_disks: bool = False
    """Whether the image can join the NVMe disks of an instance at first boot."""


def dlami_image(dlami: Dlami | None) -> MachineImage | None:
    """A kind of Deep Learning AMI; None where the catalog does not know it."""
    if dlami is None:
        return None
    return MachineImage(dlami.name, dlami.root_device_name, dlami.root_volume_gib, dlami.operating_system)
