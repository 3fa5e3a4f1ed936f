"""Instances from parameters: the plan of a node group with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from constructs import Construct
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cdk.invalid_parameters import InvalidParameters
from neuron_cluster.cdk.planned_parameters import planned_parameters
from neuron_cluster.plan.machine_plan import InterfacePlan, SecurityGroupRole
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan
from neuron_cluster.providers.eks.plan.managed_node_group_plan import ManagedNodeGroupPlan

NODE_GROUP = ("eks", "node_groups", 0)


def planned_machine(
    construct: Construct, spec: Mapping[str, Any], zone_ids: Sequence[str], efa_security_group_id: str | None
) -> ManagedNodeGroupPlan:
    """The node group with these keys, whose interfaces have no group but that of EFA. Raises ``InvalidParameters``."""
    release = spec.get("ami_release")
    eks = {"version": _minor_version(release), "node_groups": [dict(spec)]}
    plan = planned_parameters(construct, {"eks": eks}, NODE_GROUP, zone_ids).provider(EksPlan)
    if plan is None:
        raise LookupError("an environment with node groups has a plan of EKS")
    (group,) = plan.managed_groups
    if group.machine.efa_interfaces and efa_security_group_id is None:
        message = f"{group.machine.instance_type} has EFA interfaces, but efa_security_group_id is not set"
        hint = "pass EfaSecurityGroup(...).security_group_id, or set efa to off"
        raise InvalidParameters(construct, [(message, hint)])
    return replace(
        group, machine=replace(group.machine, interfaces=tuple(map(_with_efa_alone, group.machine.interfaces)))
    )


def node_policies() -> Mapping[str, str]:
    """AWS managed policies of the role of nodes, each with the reason for it."""
    return load_catalog().eks_roles["node"].managed_policies


def _minor_version(release: object) -> str:
    """The Kubernetes version of an AMI release; without one any version, which no resource has."""
    newest = load_catalog().kubernetes_versions.rows[-1].name
    return ".".join(release.split(".")[:2]) if isinstance(release, str) else newest


def _with_efa_alone(interface: InterfacePlan) -> InterfacePlan:
    """The groups of a network stack are those of an environment: other apps name theirs."""
    return replace(interface, groups=tuple(role for role in interface.groups if role is SecurityGroupRole.EFA))
