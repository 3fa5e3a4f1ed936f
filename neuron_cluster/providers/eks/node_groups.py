"""EKS managed node groups of the file, with the defaults of their absent keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.resolved.cluster_groups import resolve_group
from neuron_cluster.resolved.machine_image import MachineImage
from neuron_cluster.resolved.neuron_host import NeuronHost
from neuron_cluster.schedulers.kubernetes.node_group import KubernetesNodeGroup

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.taint import Taint
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.providers.eks.config.node_group import NodeGroup
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

NEWEST_IMAGE = "the newest image on the day of creation"


class EksNodeGroup(KubernetesNodeGroup, frozen=True):
    """A managed node group: its settings in EKS in addition to those of Kubernetes."""

    service = "EKS"
    label_key_limit = "eks_label_key"
    label_value_limit = "eks_label_value"
    taints_limit = "eks_node_group_taints"
    repair_display_name = "EKS node repair"

    spec: NodeGroup
    kubernetes_version: str = ""
    """Kubernetes version of its cluster."""

    @property
    def labels(self) -> Mapping[str, str]:
        return self.spec.labels

    def reserved_label_domains(self, catalog: Catalog) -> Iterable[str]:
        return (row.name for row in catalog.reserved_label_domains)

    @property
    def taints(self) -> Sequence[Taint]:
        return self.spec.taints

    @property
    def network_topology(self) -> bool:
        return self.spec.network_topology

    @property
    def has_node_repair(self) -> bool:
        """As given, else on for Neuron devices."""
        return self.is_neuron if self.spec.node_repair is None else self.spec.node_repair

    def neuron_host(self, instance_type: InstanceType, catalog: Catalog, lock: Lock | None) -> NeuronHost:
        """With the driver of its AMI release: that of the file, else that of the lock."""
        path = (*self.path, "ami_release")
        locked = lock.ami_releases.get(instance_type.eks_ami_type or "") if lock is not None else None
        release = self.spec.ami_release or (locked.release_version if locked is not None else None)
        host = NeuronHost(
            path, self.name, instance_type, NEWEST_IMAGE, None, kubernetes_version=self.kubernetes_version
        )
        if release is None:
            return replace(host, is_newest=True)
        image = f"ami_release {release}" if self.spec.ami_release else f"ami_release {release} of the lock"
        known = catalog.ami_releases.get(release)
        driver, doubt = (known.driver, known.doubt_about("driver")) if known is not None else (None, None)
        return replace(host, image=image, driver=driver, driver_doubt=doubt, ami_release=release)


def resolve_node_groups(config: EnvironmentConfig, catalog: Catalog) -> Iterator[EksNodeGroup]:
    """The node groups in the order of the file; none without an ``eks`` section."""
    eks = config.section(Eks)
    if eks is None:
        return
    for position, spec in enumerate(eks.node_groups):
        yield resolve_group(
            EksNodeGroup,
            ("eks", "node_groups", position),
            spec,
            machine_image(catalog.instance_types.get(spec.instance_type), catalog),
            config,
            catalog,
            name=spec.name,
            team=spec.team,
            queue=spec.queue,
            kubernetes_version=eks.version,
        )


def machine_image(instance_type: InstanceType | None, catalog: Catalog) -> MachineImage | None:
    """The AMI type of EKS for an instance type; None where either is unknown."""
    name = instance_type.eks_ami_type if instance_type is not None else None
    ami_type = catalog.ami_types.get(name or "")
    if ami_type is None:
        return None
    return MachineImage(
        ami_type.name,
        ami_type.root_device,
        ami_type.default_root_volume_gib,
        ami_type.operating_system,
        joins_local_disks=ami_type.has_nodeadm,
    )


def node_groups(environment: ResolvedEnvironment) -> tuple[EksNodeGroup, ...]:
    """Returns the managed node groups, in the order of the file."""
    return environment.groups_of(EksNodeGroup)
