"""Decisions about the instances of a group, whichever orchestrator they have: interfaces, purchase option, name."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from msgspec.structs import replace

from neuron_cluster.plan.machine_plan import MachinePlan, PurchaseOptionPlan, SecurityGroupRole
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.planning.build_interfaces import build_interfaces
from neuron_cluster.planning.build_machine import known_instance_type
from neuron_cluster.providers.hyperpod.config.capacity import TrainingPlan

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.network_plan import NetworkPlan
    from neuron_cluster.providers.hyperpod.groups import HyperPodInstances

SECURITY_GROUPS = (SecurityGroupRole.HYPERPOD,)
"""One alone: SageMaker requires all traffic to itself, both ways, of each group that is attached.

Source: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-prerequisites.html
"""


def build_machine(group: HyperPodInstances, catalog: Catalog) -> MachinePlan:
    """The instance as HyperPod starts it: its own layout of interfaces has EFA on each card."""
    row, lnc = known_instance_type(group), group.logical_nc_config
    layout = catalog.interface_layouts[group.efa_layout]
    return MachinePlan(
        path=group.path,
        instance_type=row.name,
        is_neuron=row.chip is not None,
        interfaces=tuple(
            replace(interface, groups=SECURITY_GROUPS)
            for interface in build_interfaces(layout, row.efa_interfaces or 0, SECURITY_GROUPS)
        ),
        placement_strategy=None,
        purchase=_purchase(group),
        root_volume=None,
        logical_nc_config=lnc,
        neuroncores=row.neuron_cores_at(lnc) if lnc is not None else None,
        hourly_usd=None,
    )


def _purchase(group: HyperPodInstances) -> PurchaseOptionPlan:
    capacity = group.spec.capacity
    if isinstance(capacity, TrainingPlan):
        return PurchaseOptionPlan(capacity.kind, None, None, starts=capacity.starts, ends=capacity.ends)
    return PurchaseOptionPlan(capacity.kind, None, None)


def physical_name(group: HyperPodInstances, environment: str, network: NetworkPlan) -> str:
    """Hashed over what HyperPod fixes when it makes a group. Plan values only, never tokens."""
    subnet = network.subnet(SubnetTier.PRIVATE, group.zone_ids[0])
    identity = {
        "environment": environment,
        "instance_type": group.spec.instance_type,
        "is_spot": group.spec.capacity.kind == "spot",
        "subnet": subnet.identity if subnet is not None else "",
    }
    return f"{group.name}-{hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:8]}"
