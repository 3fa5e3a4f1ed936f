"""A Kubernetes cluster of this toolkit, whichever provider runs its control plane."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from local_kubernetes.model.hyperpod import team_cluster_queue, team_local_queue
from neuron_cluster.findings.text import counted
from neuron_cluster.plan.addon_plan import (
    AddonPlan,
    ChartPlan,
    DeviceManagementPlan,
    ManifestPlan,
    PatchPlan,
    PodRolePlan,
)
from neuron_cluster.plan.address_plan import AddressNeed, Purpose
from neuron_cluster.plan.control_plane import ControlPlane
from neuron_cluster.plan.group_addresses import need_of_nodes
from neuron_cluster.plan.image_cache_plan import ImageCachePlan
from neuron_cluster.plan.kubernetes_access import KubernetesAccess
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.provider_plan import ProviderPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.plan.work_path import WorkPath

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.network_plan import ZonePlan


class KubernetesPlan(ProviderPlan, frozen=True, kw_only=True):
    """Software, workloads and reports read it; what one provider alone has is in a class derived from it."""

    name: str
    version: str
    service_cidr: str
    namespaces: tuple[WorkloadNamespacePlan, ...]
    """Those of the file, and ``default`` in any case."""
    node_groups: tuple[NodeGroupPlan, ...]
    """Of this section, then those of other providers whose nodes join the cluster."""
    device_management: DeviceManagementPlan
    addons: tuple[AddonPlan, ...]
    charts: tuple[ChartPlan, ...]
    prefix_delegation: bool = False
    """The VPC CNI assigns addresses to pods from whole prefixes."""
    installed_otherwise: tuple[str, ...] = ()
    """Components of the key ``addons`` whose software the user installs."""
    image_cache: ImageCachePlan | None = None
    """None: charts and nodes pull from public registries themselves."""
    manifests: tuple[ManifestPlan, ...] = ()
    patches: tuple[PatchPlan, ...] = ()
    """Objects of ours that come after charts."""
    workload_roles: tuple[PodRolePlan, ...] = ()
    """IAM roles of the service accounts of workloads."""
    team_manifests: tuple[ManifestPlan, ...] = ()
    """Access and limits of each namespace of a team, and its images."""

    @property
    def compute_groups(self) -> tuple[NodeGroupPlan, ...]:
        return self.node_groups

    def address_needs(self, tier: SubnetTier, zone: ZonePlan, catalog: Catalog) -> Iterator[AddressNeed]:
        """Nodes with their pods, the control plane, and a load balancer.

        The file has no load balancer, yet the subnets are tagged for them: a service of type LoadBalancer must find
        free addresses.
        """
        in_secondary = tier is SubnetTier.SECONDARY
        for group in self.node_groups if tier is not SubnetTier.PUBLIC else ():
            if zone.zone_id in group.zone_ids and group.in_secondary_subnets is in_secondary:
                yield need_of_nodes(group, group.node_addresses)
        if tier is SubnetTier.PRIVATE:
            yield from self.control_plane_addresses(zone, catalog)
        if not in_secondary:
            free = catalog.limits["load_balancer_free_addresses"].require_minimum()
            yield AddressNeed(Purpose.LOAD_BALANCERS, "a load balancer", 1, free)

    def control_plane_addresses(self, zone: ZonePlan, catalog: Catalog) -> Iterator[AddressNeed]:
        """Addresses in the private subnet of a zone."""
        yield from ()

    def control_plane(self) -> ControlPlane:
        software = f"{counted(len(self.addons), 'add-on')}, {counted(len(self.charts), 'Helm chart')}"
        lines = (f"cluster {self.name}", software)
        return ControlPlane(label="control plane", software="Kubernetes", version=self.version, lines=lines)

    def work_paths(self) -> Iterator[WorkPath]:
        """Yields the path of jobs of each queue, from the teams that have a quota of its groups."""
        for queue, groups in self.queues.items():
            names = tuple(group.name for group in groups)
            teams = tuple(
                team.name
                for team in self.teams
                if self.may_use(team, queue) and any(team.quota_of(name) is not None for name in names)
            )
            if teams:
                yield WorkPath(text=f"jobs, by queue {queue}", teams=teams, groups=names)

    @property
    def node_autoscaler(self) -> str | None:
        """Name of what starts nodes for pods that no node of a node group fits; None without one."""
        return None

    def arn(self, partition: str, region: str, account: str) -> str:
        """Returns the ARN of the control plane."""
        raise NotImplementedError

    def kubeconfig_command(self, region: str) -> str:
        """Writes a context of the cluster into the kubeconfig."""
        raise NotImplementedError

    def kubernetes_access(self) -> Iterator[KubernetesAccess]:
        """Yields the rights of principals of the file in the Kubernetes API."""
        yield from ()

    def login_notes(self, partition: str, region: str, account: str) -> tuple[str, ...]:
        """Returns the requirements of ``kubeconfig_command`` and kubectl, a sentence each."""
        return ()

    @property
    def job_namespaces(self) -> tuple[WorkloadNamespacePlan, ...]:
        """Namespaces whose jobs the queues admit, in the order of the file; one at least."""
        return tuple(namespace for namespace in self.namespaces if namespace.takes_jobs)

    @property
    def processor_group(self) -> NodeGroupPlan | None:
        """Where pods of bundled charts without Neuron devices run: the first group without these and without taints."""
        groups = (group for group in self.node_groups if not group.machine.is_neuron)
        return next((group for group in groups if not group.lasting_taints), None)

    @property
    def is_governed(self) -> bool:
        """Whether task governance of HyperPod admits jobs, and no queue of the toolkit."""
        return any(group.is_governed for group in self.node_groups)

    @property
    def queues(self) -> Mapping[str, tuple[NodeGroupPlan, ...]]:
        """Every queue with the groups that serve it, both in the order of the file; with task governance the LocalQueue
        of each team, with all groups of the instance types of its quota."""
        if self.is_governed:
            return {team_local_queue(team.name): groups for team in self.teams if (groups := self._governed(team))}
        queues: dict[str, tuple[NodeGroupPlan, ...]] = {}
        for group in self.node_groups:
            if group.queue is not None:
                queues[group.queue] = (*queues.get(group.queue, ()), group)
        return queues

    def _governed(self, team: Team) -> tuple[NodeGroupPlan, ...]:
        governed = [group for group in self.node_groups if group.is_governed]
        types = {group.machine.instance_type for group in governed if team.quota_of(group.name) is not None}
        return tuple(group for group in governed if group.machine.instance_type in types)

    def may_use(self, team: Team, queue: str) -> bool:
        """Whether jobs of a namespace of the team may wait in the queue."""
        return any(each.may_use(queue) for each in self.namespaces if each.name in team.namespaces)

    def queue_of(self, group: NodeGroupPlan, namespace: str) -> str | None:
        """Returns the queue of a group that jobs of a namespace wait in; None where it serves none for them."""
        if not self.is_governed:
            return group.queue
        homes = [each for each in self.namespaces if each.name == namespace and each.is_governed]
        return next((each.queue for each in homes if each.queue and group in self.queues.get(each.queue, ())), None)

    def cluster_queue(self, team: Team, queue: str) -> str:
        """Returns the name of the ClusterQueue of a team for a queue."""
        return team_cluster_queue(team.name) if self.is_governed else team.cluster_queue(queue)

    @property
    def governed_namespaces(self) -> frozenset[str]:
        """Names of the namespaces that task governance makes: what is in them comes after the compute quotas."""
        return frozenset(each.name for each in self.namespaces if each.is_governed)

    def is_in_governed_namespace(self, manifest: ManifestPlan) -> bool:
        """Whether task governance makes the namespace of one of its objects."""
        names = {each["metadata"].get("namespace") for each in manifest.objects}
        return not names.isdisjoint(self.governed_namespaces)
