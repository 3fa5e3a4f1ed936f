"""A provider of a Kubernetes cluster other than EKS: a section with the keys that rules about Kubernetes read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import create_model

from neuron_cluster.config.scalars import ClosedModel
from neuron_cluster.config.sections import SectionSpec
from neuron_cluster.config.taint import Taint
from neuron_cluster.protocol.provider import Provider
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.config.node_group import NodeGroup
from neuron_cluster.providers.eks.node_groups import machine_image
from neuron_cluster.resolved.cluster_groups import resolve_group
from neuron_cluster.schedulers.kubernetes.node_group import KubernetesNodeGroup
from neuron_cluster.schedulers.kubernetes.scheduler import KUBERNETES

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.resolved.compute_group import ClusterGroup

KEY = "hub"

FIELDS: dict[str, Any] = {name: (field.annotation, field) for name, field in Eks.model_fields.items()}
Hub = create_model("Hub", __base__=ClosedModel, __doc__="A cluster of the hub.", **FIELDS)
"""The keys of `eks`, and no class of it: no code finds it by its type."""


class HubNodeGroup(KubernetesNodeGroup, frozen=True):
    """Nodes of the hub."""

    service = "EKS"
    label_key_limit = "eks_label_key"
    label_value_limit = "eks_label_value"
    taints_limit = "eks_node_group_taints"
    repair_display_name = "EKS node repair"

    spec: NodeGroup

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
        return self.is_neuron if self.spec.node_repair is None else self.spec.node_repair


class HubProvider(Provider):
    section = SectionSpec(key=KEY, model=Hub, description="A cluster of the hub. Absent: none.", examples=())
    has_teams = True
    schedulers = (KUBERNETES,)

    def compute_groups(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[ClusterGroup]:
        for position, spec in enumerate(getattr(config.section(Hub), "node_groups", ())):
            yield resolve_group(
                HubNodeGroup,
                (KEY, "node_groups", position),
                spec,
                machine_image(catalog.instance_types.get(spec.instance_type), catalog),
                config,
                catalog,
                name=spec.name,
                team=spec.team,
                queue=spec.queue,
            )


HUB = HubProvider()
