"""The network stack: VPC, subnets by zone id, ways out, endpoints, and every security group.

In a VPC that exists: security groups, and the interface endpoints that the file asks for.
"""

from __future__ import annotations

from collections.abc import Sequence

from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.network_plan import NetworkPlan, SubnetTier
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from stacks.constructs.flow_log import FlowLog
from stacks.constructs.key_statements import alias_name, for_log_groups
from stacks.constructs.security_groups import SecurityGroups
from stacks.constructs.vpc import Vpc
from stacks.constructs.vpc_endpoint import vpc_endpoint
from stacks.environment_stack import EnvironmentStack
from stacks.stack_context import StackContext


def build(context: StackContext) -> NetworkStack:
    return NetworkStack(context.scope, context.plan)


class NetworkStack(EnvironmentStack):
    """Everything here is published; data depends on these subnets and groups, so it is protected like data."""

    def __init__(self, scope: Construct, plan: ClusterPlan) -> None:
        super().__init__(scope, NETWORK.stack_key, plan)
        self._plan = plan.network
        self._routes: dict[str, str] = {}
        self._secondary: dict[str, str] = {}
        if self._plan.existing is not None:
            self.vpc_id = self._plan.existing.vpc_id
            self._private = {each.zone_id: each.identity for each in self._plan.subnets_of(SubnetTier.PRIVATE)}
        else:
            vpc = Vpc(self, self._plan, plan.name)
            self.vpc_id, self._private = vpc.vpc_id, vpc.private_subnet_ids
            self._routes, self._secondary = vpc.route_table_ids, vpc.secondary_subnet_ids
        self.groups = SecurityGroups(
            self,
            "Groups",
            vpc_id=self.vpc_id,
            endpoint_clients_cidrs=self._plan.endpoint_clients_cidrs,
            has_efs=plan.storage is not None and plan.storage.has_mount_targets,
            has_hyperpod=plan.has_security_group(SecurityGroupRole.HYPERPOD),
            has_training=plan.has_security_group(SecurityGroupRole.TRAINING),
        )
        self._let_lustre_clients(plan)
        for endpoint in self._plan.endpoints:
            vpc_endpoint(
                self,
                endpoint,
                vpc_id=self.vpc_id,
                subnet_ids=self._private.values(),
                route_table_ids=self._routes.values(),
                security_group_id=self.group_id(SecurityGroupRole.ENDPOINT),
            )
        if self._plan.existing is None:
            FlowLog(
                self,
                "FlowLog",
                vpc_id=self.vpc_id,
                described=f"Neuron cluster {plan.name}",
                for_logs=for_log_groups(plan, f"{plan.stack_name(NETWORK.stack_key)}-*"),
                alias=alias_name(plan, NETWORK.stack_key),
            )
            self.publish(self.vpc_id, *self._private.values(), *self.groups.ids, *self._secondary.values())
        else:
            self.publish(*self.groups.ids)

    def _let_lustre_clients(self, plan: ClusterPlan) -> None:
        """Admits clients of the file system: workstations only where one mounts it."""
        lustre = plan.storage.lustre if plan.storage is not None else None
        mounts = any(each.lustre is not None for each in plan.workstations)
        if lustre is not None and lustre.existing is not None:
            self.groups.let_clients_use(lustre.existing.security_group_id, with_workstations=mounts)
        elif mounts:
            self.groups.let_workstations_use_lustre()

    @property
    def network(self) -> NetworkPlan:
        return self._plan

    def private_subnet_id(self, zone_id: str) -> str:
        """The private subnet in this zone, as a token; the id of one that exists."""
        return self._private[zone_id]

    def private_subnet_ids(self, zone_ids: Sequence[str]) -> list[str]:
        """Returns the ids of the subnets of several zones, in their order."""
        return [self.private_subnet_id(zone_id) for zone_id in zone_ids]

    def node_subnet_ids(self, group: NodeGroupPlan) -> list[str]:
        """The subnets of a node group, as tokens, in the order of its zones."""
        subnets = self._secondary if group.in_secondary_subnets else self._private
        return [subnets[zone_id] for zone_id in group.zone_ids]

    def private_routes_ids(self, zone_ids: Sequence[str]) -> list[str] | None:
        """The route tables of private subnets, as tokens; None in a VPC that exists, whose owner has them."""
        return [self._routes[zone_id] for zone_id in zone_ids] if self._routes else None

    def group_id(self, role: SecurityGroupRole) -> str:
        return self.groups.id_of(role)

    @property
    def security_group_ids(self) -> dict[SecurityGroupRole, str]:
        """Ids of every group of this stack; the service has that of a control plane."""
        return self.groups.by_role
