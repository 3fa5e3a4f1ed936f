"""Where Neuron software meets: hosts with their driver, and the runtimes of the workloads that run on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.catalog.version import version_key
from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.asked_workstation import asked_workstations

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.container import Container
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.catalog.neuron_sdk import NeuronSdk
    from neuron_cluster.config.environment import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.rules.asked_node_group import AskedNodeGroup
    from neuron_cluster.rules.asked_workstation import AskedWorkstation


class NeuronHost(Struct, frozen=True):
    """A node group or workstation with Neuron chips. ``path`` is the key that decides which driver it gets.

    ``image`` says in words what brings the driver. ``driver`` is None when nothing says its version; ``is_newest``
    then tells an image that is chosen on the day of creation from one that the catalog does not know.
    """

    path: KeyPath
    name: str
    instance_type: InstanceType
    image: str
    driver: str | None
    driver_doubt: str | None = None
    ami_release: str | None = None
    is_newest: bool = False
    dlami: Dlami | None = None
    has_home: bool = False
    """Whether a workstation has a home, which outlives it."""

    @property
    def is_workstation(self) -> bool:
        return self.path[0] == "workstations"

    @property
    def machine_path(self) -> KeyPath:
        """The node group or workstation itself."""
        return self.path[:-1]


class AskedRuntime(Struct, frozen=True):
    """A Neuron runtime that workloads bring to the hosts: of a container, or of ``neuron.sdk`` without any.

    ``sdk`` is None for a container of a release that the catalog does not have.
    """

    path: KeyPath
    name: str
    sdk: NeuronSdk | None
    container: Container | None = None

    @property
    def version(self) -> str | None:
        """Of aws-neuronx-runtime-lib; None when no source says it."""
        return self.sdk.runtime if self.sdk is not None else None

    @property
    def doubt(self) -> str | None:
        """Why the version is not certain."""
        return self.sdk.doubt_about("runtime") if self.sdk is not None else None


class AskedSoftware(Struct, frozen=True):
    """Both ends of the whole file. ``kubernetes_version`` is None without a cluster."""

    hosts: tuple[NeuronHost, ...]
    runtimes: tuple[AskedRuntime, ...]
    kubernetes_version: str | None


def asked_software(config: EnvironmentConfig, catalog: Catalog, lock: Lock | None) -> AskedSoftware:
    """What the file asks for, images of the lock where the file pins none."""
    version = config.eks.version if config.eks is not None else None
    return AskedSoftware(tuple(neuron_hosts(config, catalog, lock)), asked_runtimes(config, catalog), version)


def neuron_hosts(config: EnvironmentConfig, catalog: Catalog, lock: Lock | None) -> Iterator[NeuronHost]:
    """Node groups first, then workstations, each in the order of the file; those without a Neuron chip left out."""
    for group in asked_node_groups(config, catalog):
        if group.instance_type is not None and group.is_neuron:
            yield _node_host(group, group.instance_type, catalog, lock)
    for asked in asked_workstations(config, catalog):
        if asked.instance_type is not None and asked.instance_type.chip is not None:
            yield _workstation_host(asked, asked.instance_type, catalog)


def _node_host(group: AskedNodeGroup, instance_type: InstanceType, catalog: Catalog, lock: Lock | None) -> NeuronHost:
    path = (*group.path, "ami_release")
    locked = lock.ami_releases.get(instance_type.eks_ami_type or "") if lock is not None else None
    release = group.group.ami_release or (locked.release_version if locked is not None else None)
    if release is None:
        newest = "the newest image on the day of creation"
        return NeuronHost(path, group.group.name, instance_type, newest, None, is_newest=True)
    words = f"ami_release {release}" if group.group.ami_release else f"ami_release {release} of the lock"
    known = catalog.ami_release(release)
    driver, doubt = (known.driver, known.doubt_about("driver")) if known is not None else (None, None)
    return NeuronHost(path, group.group.name, instance_type, words, driver, doubt, release)


def _workstation_host(asked: AskedWorkstation, instance_type: InstanceType, catalog: Catalog) -> NeuronHost:
    wish, dlami = asked.workstation, asked.dlami
    path, has_home = (*asked.path, "dlami"), wish.home is not None
    sdk = catalog.neuron_sdk(dlami.neuron_sdk) if dlami is not None else None
    if dlami is None or sdk is None:
        return NeuronHost(path, wish.name, instance_type, f"dlami {wish.dlami}", None, dlami=dlami, has_home=has_home)
    doubt = sdk.doubt_about("driver") or dlami.doubt_about("neuron_sdk")
    if wish.ami_id is not None:
        doubt = f"{wish.ami_id} may be of another release than the newest image of its kind"
    words = f"dlami {wish.dlami} with Neuron SDK {sdk.name}"
    return NeuronHost(path, wish.name, instance_type, words, sdk.driver, doubt, dlami=dlami, has_home=has_home)


def asked_runtimes(config: EnvironmentConfig, catalog: Catalog) -> tuple[AskedRuntime, ...]:
    """The runtimes of the listed containers that the catalog knows; that of ``neuron.sdk`` when it knows none."""
    known = known_containers(config, catalog)
    own = catalog.neuron_sdk(config.neuron.sdk)
    if not known and own is not None:
        return (AskedRuntime(("neuron", "sdk"), f"Neuron SDK {own.name}", own),)
    return tuple(
        AskedRuntime(("neuron", "containers", position), each.name, catalog.neuron_sdk(each.neuron_sdk), each)
        for position, each in known
    )


def known_containers(config: EnvironmentConfig, catalog: Catalog) -> tuple[tuple[int, Container], ...]:
    """The listed containers that the catalog knows, each with its position in the list."""
    asked = ((position, catalog.container(name)) for position, name in enumerate(config.neuron.containers))
    return tuple((position, container) for position, container in asked if container is not None)


def releases_of(host: NeuronHost, config: EnvironmentConfig, catalog: Catalog) -> list[str]:
    """SDK releases that the host is to run: of its containers, else of its DLAMI, else ``neuron.sdk``."""
    images = [container for _, container in known_containers(config, catalog)]
    of_images = [image.neuron_sdk for image in images if catalog.container_runs_on(image, host.instance_type)]
    return of_images or [host.dlami.neuron_sdk if host.dlami is not None else config.neuron.sdk]


def is_of_gallery(name: str, catalog: Catalog) -> bool:
    """Whether an image is named as one of the public Neuron gallery: by its place, or without any."""
    place = name.rpartition("/")[0]
    return not place or any(container.repository.rpartition("/")[0] == place for container in catalog.containers)


def meets(runtime: AskedRuntime, host: NeuronHost, catalog: Catalog) -> bool:
    """Whether workloads with this runtime run on the host."""
    return runtime.container is None or catalog.container_runs_on(runtime.container, host.instance_type)


def outlives_chip(host: NeuronHost, catalog: Catalog) -> bool:
    """Whether the driver of the image is one that does not drive the host's chip any more."""
    chip = catalog.chip(host.instance_type.chip or "")
    if chip is None or chip.driver_below is None or host.driver is None:
        return False
    return version_key(host.driver) >= version_key(chip.driver_below)
