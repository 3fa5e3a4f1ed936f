"""The frameworks of the file on each of its Neuron instances, with the SDK release that runs there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.compatibility.neuron_software import known_containers, neuron_hosts

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.framework import Framework, FrameworkSupport
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.neuron_host import NeuronHost
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class FrameworkUse(Struct, frozen=True):
    """One framework on one instance. ``support`` is None where it never ran; ``ships``: the SDK release includes it."""

    framework: Framework
    host: NeuronHost
    chip: str
    sdk: str
    support: FrameworkSupport | None
    ships: bool
    is_of_image: bool = False
    """Whether the SDK release is that of the host's DLAMI, and not that of the file."""

    @property
    def is_impossible(self) -> bool:
        """Whether it cannot run: it never ran there, or it is retired and not in the release."""
        return self.support is None or (self.is_retired and not self.ships)

    @property
    def is_retired(self) -> bool:
        return self.support is not None and self.support.state == "retired"

    def retired_image(self, catalog: Catalog) -> Framework | None:
        """The framework of the images that it is in, where that one is retired in all of them; else None."""
        rows = [row for name in self.framework.images if (row := catalog.frameworks.get(name)) is not None]
        found = [row.support_on(self.chip, self.sdk) for row in rows]
        return rows[0] if rows and all(each is not None and each.state == "retired" for each in found) else None

    @property
    def is_rejected_by_system(self) -> bool:
        """Whether it cannot be installed on the operating system of a workstation. Nodes run it in containers."""
        if self.support is None or self.host.dlami is None:
            return False
        return self.host.dlami.operating_system in self.support.excluded_operating_systems

    @property
    def is_missing_in_image(self) -> bool:
        """Whether the DLAMI of a workstation has virtual environments, and none with it."""
        dlami = self.host.dlami
        if dlami is None or not dlami.virtual_environments:
            return False
        return dlami.name not in self.framework.virtual_environments

    @property
    def is_at_home(self) -> bool:
        """Whether the catalog contains no fact against it."""
        return not (self.is_impossible or self.is_rejected_by_system or self.is_missing_in_image)


class RequestedFramework(Struct, frozen=True):
    """One framework of the list that is in the catalog, with its uses, in the order of the instances."""

    path: KeyPath
    framework: Framework
    uses: tuple[FrameworkUse, ...]


def requested_frameworks(
    environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None
) -> Iterator[RequestedFramework]:
    """In the order of the file."""
    hosts = tuple(neuron_hosts(environment, catalog, lock))
    for position, name in enumerate(environment.config.neuron.frameworks):
        framework = catalog.frameworks.get(name)
        if framework is not None:
            uses = tuple(use for host in hosts for use in _uses(framework, host, environment.config, catalog))
            yield RequestedFramework(("neuron", "frameworks", position), framework, uses)


def _uses(
    framework: Framework, host: NeuronHost, config: EnvironmentConfig, catalog: Catalog
) -> Iterator[FrameworkUse]:
    chip = host.instance_type.chip or ""
    brought = _of_containers(framework, host, config, catalog)
    of_image = host.sdk if host.dlami is not None and host.dlami.virtual_environments and not brought else None
    for release in brought or (of_image or config.neuron.sdk,):
        sdk = catalog.neuron_sdks.get(release)
        ships = sdk is None or framework.sdk_part not in sdk.absent
        support = framework.support_on(chip, release)
        yield FrameworkUse(framework, host, chip, release, support, ships, is_of_image=of_image is not None)


def _of_containers(
    framework: Framework, host: NeuronHost, config: EnvironmentConfig, catalog: Catalog
) -> tuple[str, ...]:
    """SDK releases of the containers with the framework that run on the host; else the DLAMI decides, where it
    includes frameworks, else ``neuron.sdk``."""
    brought = (
        image.neuron_sdk
        for _, image in known_containers(config, catalog)
        if image.framework == framework.name and catalog.container_runs_on(image, host.instance_type)
    )
    return tuple(dict.fromkeys(brought))
