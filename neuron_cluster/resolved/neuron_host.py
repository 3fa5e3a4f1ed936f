"""A compute group with Neuron devices, and the driver that its image brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.catalog.version import version_key

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.source_map import KeyPath


class NeuronHost(Struct, frozen=True):
    """A compute group with Neuron devices. ``path`` is the key that decides which driver it gets.

    ``image`` describes what brings the driver. ``driver`` is None when no source has its version; ``is_newest``
    then separates an image that is chosen on the day of creation from one that the catalog does not know.
    """

    path: KeyPath
    name: str
    instance_type: InstanceType
    image: str
    driver: str | None
    driver_doubt: str | None = None
    ami_release: str | None = None
    is_newest: bool = False
    has_published_driver: bool = True
    """False where no source has the driver of any release of its image."""
    dlami: Dlami | None = None
    sdk: str | None = None
    """SDK release of its DLAMI; None where the file pins an AMI, whose release is not known, and without a DLAMI."""
    sdk_doubt: str | None = None
    has_home: bool = False
    """Whether a workstation has a home, which outlives it."""
    kubernetes_version: str | None = None
    """Version of the cluster whose AMI releases it may run; None outside of one."""
    group_path: KeyPath | None = None
    """The group, where the key of its image is not its own."""
    without_edit: str | None = None
    """The change of its instances where `upgrade` edits no key of their image; None: they stay as they are."""

    @property
    def is_workstation(self) -> bool:
        return self.path[0] == "workstations"

    @property
    def machine_path(self) -> KeyPath:
        """The node group or workstation itself."""
        return self.path[:-1] if self.group_path is None else self.group_path


def outlives_chip(host: NeuronHost, catalog: Catalog) -> bool:
    """Whether the driver of the image no longer supports the chip of the host."""
    chip = catalog.chips.get(host.instance_type.chip or "")
    if chip is None or chip.driver_below is None or host.driver is None:
        return False
    return version_key(host.driver) >= version_key(chip.driver_below)
