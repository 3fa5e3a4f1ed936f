"""The plan of an EKS cluster, in addition to that of every Kubernetes cluster of this toolkit."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.address_plan import AddressNeed, Purpose
from neuron_cluster.plan.generated_name import GeneratedName
from neuron_cluster.plan.kubernetes_access import KubernetesAccess, PermissionRule
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_stacks import divided
from neuron_cluster.providers.eks.plan.control_plane_price import eks_control_plane_price
from neuron_cluster.providers.eks.plan.limit_uses import eks_limit_uses
from neuron_cluster.providers.eks.plan.managed_node_group_plan import ManagedNodeGroupPlan

if TYPE_CHECKING:
    from datetime import date

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.inputs import ProviderLockInputs
    from neuron_cluster.plan.control_plane_price import ControlPlanePrice
    from neuron_cluster.plan.limit_use import Use
    from neuron_cluster.plan.network_plan import ZonePlan
    from neuron_cluster.table import Table


ADMIN_POLICY, VIEW_POLICY = "AmazonEKSClusterAdminPolicy", "AmazonEKSViewPolicy"
"""Access policies of EKS (https://docs.aws.amazon.com/eks/latest/userguide/access-policy-permissions.html)."""
TEAM_SUMMARY = (
    "read and write workloads, secrets and claims; read logs, events, quotas and queues; exec; no change of quotas, "
    "network policies, roles or queues"
)
"""Summary of the Role in namespaces of teams (``software.team_roles``)."""
OPERATOR_SUMMARY = (
    "as workloads, and write network policies and service accounts, evict pods, stop queues, read roles; no change of "
    "quotas, limits or roles"
)
"""Summary of the Roles of operators in namespaces of teams, likewise."""


class AutoModeRolesPlan(Struct, frozen=True):
    """What EKS Auto Mode needs where it is on: AWS managed policies, each with the reason for it, and node pools."""

    node_policies: Mapping[str, str]
    cluster_policies: Mapping[str, str]
    node_pools: tuple[str, ...]


class EksPlan(KubernetesPlan, frozen=True, kw_only=True):
    """The section ``eks`` of the file."""

    kubectl_layer_module: str
    """Python module of the kubectl layer that fits the version, ``aws_cdk.lambda_layer_kubectl_v35``."""
    kubectl_layer_class: str
    is_public: bool
    public_access_cidrs: tuple[str, ...]
    admins: tuple[str, ...]
    viewers: tuple[str, ...]
    auto_mode: bool
    """EKS Auto Mode: EKS starts nodes of its own for pods that fit on no node group."""
    node_policies: Mapping[str, str]
    """AWS managed policies of the role of nodes, each with the reason for it."""
    auto_mode_roles: AutoModeRolesPlan
    control_plane_logs: tuple[str, ...] = ()
    """Kinds of control plane logs, in the words of the file."""
    agent_log_groups: tuple[str, ...] = ()
    """Log groups that the CloudWatch add-on writes into, and would make without a key and without an end."""

    @property
    def managed_groups(self) -> tuple[ManagedNodeGroupPlan, ...]:
        """Node groups that EKS manages: those of the section."""
        return tuple(group for group in self.node_groups if isinstance(group, ManagedNodeGroupPlan))

    @property
    def compute_groups(self) -> tuple[ManagedNodeGroupPlan, ...]:
        return self.managed_groups

    @property
    def node_autoscaler(self) -> str | None:
        return "EKS Auto Mode" if self.auto_mode else None

    def lock_inputs(self, catalog: Catalog) -> ProviderLockInputs:
        from neuron_cluster.providers.eks.plan.lock_inputs import eks_lock_inputs  # it reads this class

        return eks_lock_inputs(self, catalog)

    def plan_tables(self, written: Container[KeyPath], catalog: Catalog) -> Sequence[Table]:
        from neuron_cluster.providers.eks.report.cluster_page import cluster_tables  # `validate` has no use of them
        from neuron_cluster.report.marks import Marks

        return cluster_tables(self, Marks(written), catalog)

    def arn(self, partition: str, region: str, account: str) -> str:
        return f"arn:{partition}:eks:{region}:{account}:cluster/{self.name}"

    def kubeconfig_command(self, region: str) -> str:
        return f"aws eks update-kubeconfig --name {self.name} --region {region}"

    def login_notes(self, partition: str, region: str, account: str) -> tuple[str, ...]:
        permission = (
            f"The role needs the IAM permission `eks:DescribeCluster` on `{self.arn(partition, region, account)}` for "
            "`aws eks update-kubeconfig`: an access entry of the cluster grants no IAM permission."
        )
        inside = "only inside the VPC: use the VPN or the tunnel of your organization (docs/private-endpoint.md)"
        outside = f"to addresses in {', '.join(self.public_access_cidrs)} alone"
        return permission, f"The Kubernetes API answers {outside if self.is_public else inside}."

    @property
    def group_stacks(self) -> Mapping[str, tuple[ManagedNodeGroupPlan, ...]]:
        """Every stack of node groups with those that it holds, in deploy order; none without a group."""
        return divided(self.managed_groups, lambda group: not group.machine.is_neuron)

    def principals(self) -> Iterator[tuple[KeyPath, str]]:
        for kind, principals in (("admins", self.admins), ("viewers", self.viewers)):
            for position, principal in enumerate(principals):
                yield (*self.path, "access", kind, position), principal
        for team in self.teams:
            for each in (*team.members, *team.operators):
                yield each.path, each.arn

    def kubernetes_access(self) -> Iterator[KubernetesAccess]:
        """Members and operators of teams have the rules of the Roles that are written for their namespaces."""
        for principals, policy, kind, summary in (
            (self.admins, ADMIN_POLICY, "everything", "each verb on each resource"),
            (self.viewers, VIEW_POLICY, "read only", "read; no secrets, nodes or custom resources, no exec"),
        ):
            if principals:
                yield KubernetesAccess(principals, policy, (), kind, summary)
        for team in self.teams:
            members, *operators = self._roles_in(team.namespaces[0])
            yield KubernetesAccess(
                team.principals, _names([members]), team.namespaces, "workloads", TEAM_SUMMARY, _rules([members]),
                team.name,
            )  # fmt: skip
            if operators:
                both = [members, *operators]
                arns = tuple(each.arn for each in team.operators)
                yield KubernetesAccess(
                    arns, _names(both), team.namespaces, "operations", OPERATOR_SUMMARY, _rules(both), team.name
                )

    def _roles_in(self, namespace: str) -> list[Mapping[str, Any]]:
        """The Role of members, then the one of operators where the team has any."""
        objects = (each for manifest in self.team_manifests for each in manifest.objects)
        return [each for each in objects if each["kind"] == "Role" and each["metadata"]["namespace"] == namespace]

    def control_plane_addresses(self, zone: ZonePlan, catalog: Catalog) -> Iterator[AddressNeed]:
        if zone.holds_control_plane:
            required = catalog.limits["eks_free_addresses_per_cluster_subnet"].require_minimum()
            yield AddressNeed(Purpose.CONTROL_PLANE, "the control plane", 1, required)
            functions = catalog.limits["function_addresses"].require_minimum()
            yield AddressNeed(Purpose.OTHER, "the kubectl function", 1, functions)

    def generated_names(self) -> Iterator[GeneratedName]:
        yield GeneratedName(("name",), "the cluster", self.name, "eks_cluster_name")
        for group in self.managed_groups:
            path = (*group.path, "name")
            yield GeneratedName(path, f"the node group {group.name}", group.physical_name, "eks_node_group_name")
            for key, value in group.labels.items():
                yield GeneratedName(path, f"the label {key}", value, "kubernetes_label_value")
        for team in self.teams if not self.is_governed else ():
            for queue in self.queues:
                name = team.cluster_queue(queue)
                yield GeneratedName((*team.path, "name"), "the ClusterQueue", name, "kubernetes_label_value")

    def not_priced(self) -> Iterator[str]:
        yield "the EKS control plane"
        if self.node_autoscaler is not None:
            yield f"nodes of {self.node_autoscaler}"

    def control_plane_price(self, catalog: Catalog, on: date) -> ControlPlanePrice | None:
        return eks_control_plane_price(self.version, catalog, on)

    def keys_created(self) -> int:
        return 1

    def limit_uses(self) -> Iterator[Use]:
        return eks_limit_uses(self)


def _names(roles: Sequence[Mapping[str, Any]]) -> str:
    return f"{'Role' if len(roles) == 1 else 'Roles'} {', '.join(each['metadata']['name'] for each in roles)}"


def _rules(roles: Sequence[Mapping[str, Any]]) -> tuple[PermissionRule, ...]:
    rules = (rule for role in roles for rule in role["rules"])
    return tuple(PermissionRule(tuple(each["verbs"]), _resources(each)) for each in rules)


def _resources(rule: Mapping[str, Any]) -> tuple[str, ...]:
    """As ``kubectl auth can-i`` takes them: ``pods``, ``jobs.batch``."""
    suffixes = [f".{group}" if group else "" for group in rule["apiGroups"]]
    return tuple(f"{resource}{suffix}" for suffix in suffixes for resource in rule["resources"])
