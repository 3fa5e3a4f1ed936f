"""Instance types of SageMaker HyperPod: what differs from the EC2 type of the same hardware."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.sourced_row import SourcedRow

PREFIX = "ml."
"""Prefix of the names of SageMaker's instance types."""


class HyperPodType(SourcedRow, frozen=True, kw_only=True):
    """One type that groups of HyperPod may have; ``name`` is the one of SageMaker, ``instance_type`` that of EC2.

    None means that no source states it.
    """

    instance_type: str
    has_deep_health_checks: bool
    """Whether HyperPod on EKS runs deep health checks on it; on Slurm it runs them on no Neuron type."""
    in_training_plans: bool
    max_pods: int | None
    """Pods of a node on EKS, which has one network interface for them."""
    addresses_on_eks: int | None
    """Addresses of the subnet that a node takes."""
    addresses_on_slurm: int | None
    efa_interfaces: int
    regions: tuple[str, ...] | None
    """Regions that sell it for HyperPod."""
    quota: str
    """Name of the quota in Service Quotas (service ``sagemaker``), counted in instances."""
    spot_quota: str

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.name != f"{PREFIX}{self.instance_type}":
            yield "instance_type", f"is {self.instance_type}, the name without {PREFIX} is not"
        for field in ("quota", "spot_quota"):
            if not getattr(self, field).startswith(f"{self.name} "):
                yield field, "is the quota of another type"


class HyperPodInstanceType(InstanceType, frozen=True, kw_only=True):
    """The instance type of a HyperPod node: the hardware of the EC2 type, without what only EC2 sells or runs.

    It has no zones and no price, because HyperPod's are its own, and no image of EKS.
    """

    pods: int | None

    @property
    def can_be_planned(self) -> bool:
        """Whether the hardware is known: HyperPod has its own image, and no launch template."""
        return self.neuron_devices is not None and self.efa_interfaces is not None

    @property
    def max_pods(self) -> int | None:
        """Pods of a node on EKS; None where no source has the number."""
        return self.pods


def as_instance_type(hyperpod: HyperPodType, ec2: InstanceType) -> HyperPodInstanceType:
    """The instance type of HyperPod nodes, with the facts and doubts of both rows."""
    of_ec2 = {field: getattr(ec2, field) for field in InstanceType.__struct_fields__}
    not_of_hyperpod: dict[str, object] = {
        "eks_ami_type": None,
        "root_volume_minimum_gib": None,
        "root_volume_minimum_source": None,
        "on_demand_quota": None,
        "spot_quota": None,
        "zone_ids": FrozenMap(),
        "on_demand_usd_hour": FrozenMap(),
        "on_demand_usd_hour_source": None,
        "on_demand_usd_hour_as_of": None,
        "cfn_lint_regions": None,
        "suggested_for_system_pods": False,
        "purchase_modes": ("on_demand", "spot"),
    }
    doubt = {field: why for field, why in ec2.doubt.items() if field not in not_of_hyperpod}
    doubt |= {field: why for field, why in hyperpod.doubt.items() if field == "max_pods"}
    if why := hyperpod.doubt_about("spot_quota"):
        doubt["purchase_modes"] = why
    of_hyperpod = {
        "name": hyperpod.name,
        "source": f"{ec2.source}; {hyperpod.source}",
        "checked_on": min(ec2.checked_on, hyperpod.checked_on),
        "doubt": FrozenMap(doubt),
        "pods": hyperpod.max_pods,
    }
    return HyperPodInstanceType(**{**of_ec2, **not_of_hyperpod, **of_hyperpod})
