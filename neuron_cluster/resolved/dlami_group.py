"""A group of a provider whose instances start from a DLAMI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from neuron_cluster.resolved.cluster_groups import resolve_group
from neuron_cluster.resolved.compute_group import ClusterGroup
from neuron_cluster.resolved.dlami_host import dlami_host
from neuron_cluster.resolved.machine_image import dlami_image

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.dlami_machine import DlamiMachine
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.neuron_host import NeuronHost

Group = TypeVar("Group", bound="DlamiGroup")


class DlamiGroup(ClusterGroup, frozen=True):
    """Base class: ``dlami_name`` is the kind as the file gives it."""

    dlami_name: str = ""
    dlami: Dlami | None = None
    """None where the catalog does not know it."""

    @property
    def image_path(self) -> KeyPath:
        """The key that has its kind of DLAMI."""
        return (*self.path, "dlami")

    @property
    def pinned_image(self) -> str | None:
        """The AMI id of the file, where the provider has a key for it."""
        return None

    def pinned_ami(self, lock: Lock | None) -> str | None:
        return self.pinned_image or (lock.dlami_id(self.dlami_name) if lock is not None else None)

    def neuron_host(self, instance_type: InstanceType, catalog: Catalog, lock: Lock | None) -> NeuronHost:
        """With the driver of the SDK release that its DLAMI has."""
        return dlami_host(
            self,
            instance_type,
            self.dlami_name,
            self.dlami,
            catalog,
            lock,
            path=self.image_path,
            pinned=self.pinned_image,
        )


def resolve_dlami_group(
    kind: type[Group],
    path: KeyPath,
    spec: DlamiMachine,
    config: EnvironmentConfig,
    catalog: Catalog,
    **fields: Any,
) -> Group:
    """``path`` is that of the item in the file; ``fields`` are those that its provider adds."""
    dlami = catalog.dlamis.get(spec.dlami)
    own = {"name": spec.name, "queue": spec.queue, "dlami_name": spec.dlami, "dlami": dlami}
    return resolve_group(kind, path, spec, dlami_image(dlami), config, catalog, **own, **fields)
