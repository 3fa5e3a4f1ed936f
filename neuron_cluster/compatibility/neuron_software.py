"""Hosts with their Neuron driver, and the runtimes of the workloads that run on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.container import Container
    from neuron_cluster.catalog.neuron_sdk import NeuronSdk
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.neuron_host import NeuronHost
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class WorkloadRuntime(Struct, frozen=True):
    """A Neuron runtime of workloads on the hosts: of a container, or of ``neuron.sdk`` without containers.

    ``sdk`` is None for a container of a release that the catalog does not have.
    """

    path: KeyPath
    name: str
    sdk: NeuronSdk | None
    container: Container | None = None

    @property
    def version(self) -> str | None:
        """Version of aws-neuronx-runtime-lib; None when no source has it."""
        return self.sdk.runtime if self.sdk is not None else None

    @property
    def doubt(self) -> str | None:
        """Why the version is not certain."""
        return self.sdk.doubt_about("runtime") if self.sdk is not None else None


class NeuronSoftwareSet(Struct, frozen=True):
    """The hosts and runtimes of the file."""

    hosts: tuple[NeuronHost, ...]
    runtimes: tuple[WorkloadRuntime, ...]


def neuron_software_set(environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> NeuronSoftwareSet:
    """Hosts and runtimes of the file; images of the lock where the file pins none."""
    hosts = tuple(neuron_hosts(environment, catalog, lock))
    return NeuronSoftwareSet(hosts, workload_runtimes(environment.config, catalog))


def neuron_hosts(environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[NeuronHost]:
    """In the order of the compute groups; those without Neuron devices are left out."""
    for group in environment.compute_groups:
        if group.instance_type is not None and group.instance_type.chip is not None:
            yield group.neuron_host(group.instance_type, catalog, lock)


def workload_runtimes(config: EnvironmentConfig, catalog: Catalog) -> tuple[WorkloadRuntime, ...]:
    """The runtimes of the listed containers that are in the catalog; that of ``neuron.sdk`` when none is."""
    known = known_containers(config, catalog)
    own = catalog.neuron_sdks.get(config.neuron.sdk)
    if not known and own is not None:
        return (WorkloadRuntime(("neuron", "sdk"), f"Neuron SDK {own.name}", own),)
    return tuple(
        WorkloadRuntime(("neuron", "containers", position), each.name, catalog.neuron_sdks.get(each.neuron_sdk), each)
        for position, each in known
    )


def known_containers(config: EnvironmentConfig, catalog: Catalog) -> tuple[tuple[int, Container], ...]:
    """The listed containers that are in the catalog, each with its position in the list."""
    known = ((position, catalog.containers.get(name)) for position, name in enumerate(config.neuron.containers))
    return tuple((position, container) for position, container in known if container is not None)


def releases_of(host: NeuronHost, config: EnvironmentConfig, catalog: Catalog) -> list[str]:
    """SDK releases that run on the host: of its containers, else of its DLAMI, else ``neuron.sdk``."""
    return container_releases(host, config, catalog) or [host.sdk or config.neuron.sdk]


def container_releases(host: NeuronHost, config: EnvironmentConfig, catalog: Catalog) -> list[str]:
    """Returns the Neuron SDK releases of the containers of the file that run on the host."""
    images = [container for _, container in known_containers(config, catalog)]
    return [image.neuron_sdk for image in images if catalog.container_runs_on(image, host.instance_type)]


def meets(runtime: WorkloadRuntime, host: NeuronHost, catalog: Catalog) -> bool:
    """Whether workloads with this runtime run on the host."""
    return runtime.container is None or catalog.container_runs_on(runtime.container, host.instance_type)
