"""How many vCPUs an environment needs of each quota of EC2."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import ServiceQuota
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.machine_plan import MachinePlan
from neuron_cluster.plan.vcpu_use import VcpuUse

UNKNOWN = ServiceQuota(name="", code="")


class Machines(Struct, frozen=True):
    """Instances of a compute group, or a workstation."""

    path: KeyPath
    name: str
    instance_type: str
    quota: ServiceQuota
    vcpus: int
    """vCPUs of one instance."""
    desired: int
    maximum: int
    is_reserved: bool

    @property
    def description(self) -> str:
        count = f"{self.desired} to {self.maximum}" if self.desired != self.maximum else str(self.maximum)
        return f"{self.name} ({count} x {self.instance_type})"


def build_vcpu_use(plan: ClusterPlan, catalog: Catalog) -> tuple[VcpuUse, ...]:
    """Each quota that instances of the environment count against, in the order of the file.

    Instances in capacity blocks count against none. Those in a reservation were counted when it was made, against the
    quota of the account that owns it, so that a deploy needs no more: they are in ``most`` alone.
    Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-reservations.html; for blocks inferred from
    their own quotas (``L-64569A79``), since no page documents it.
    """
    machines = list(_machines(plan, catalog))
    codes = dict.fromkeys(each.quota for each in machines)
    return tuple(_use(quota, [each for each in machines if each.quota == quota]) for quota in codes)


def _use(quota: ServiceQuota, machines: list[Machines]) -> VcpuUse:
    largest = max(machines, key=lambda each: each.maximum * each.vcpus)
    return VcpuUse(
        code=quota.code,
        name=quota.name or ", ".join(sorted({each.instance_type for each in machines})),
        path=largest.path,
        machines=tuple(each.description for each in machines),
        desired=sum(each.desired * each.vcpus for each in machines if not each.is_reserved),
        maximum=sum(each.maximum * each.vcpus for each in machines),
        largest_machine=max((each.vcpus for each in machines if not each.is_reserved), default=0),
    )


def _machines(plan: ClusterPlan, catalog: Catalog) -> Iterator[Machines]:
    for group in (each for each in plan.cluster_groups if each.is_sold_by_ec2):
        path = (*group.path, "count")
        yield from _counted(group.machine, path, group.name, (group.desired, group.known_maximum), catalog)
    for workstation in plan.workstations:
        path = (*workstation.path, "instance_type")
        yield from _counted(workstation.machine, path, workstation.name, (1, 1), catalog)


def _counted(
    machine: MachinePlan, path: KeyPath, name: str, counts: tuple[int, int], catalog: Catalog
) -> Iterator[Machines]:
    purchase, (desired, maximum) = machine.purchase, counts
    if purchase.is_block or not maximum:
        return
    row = catalog.instance_types.get(machine.instance_type)
    known = None if row is None or row.vcpus is None else row.vcpus
    quota = None if row is None else row.spot_quota if purchase.kind == "spot" else row.on_demand_quota
    is_known = known is not None and quota is not None
    yield Machines(
        path,
        name,
        machine.instance_type,
        quota=quota if quota is not None and is_known else UNKNOWN,
        vcpus=known or 0,
        desired=desired,
        maximum=maximum,
        is_reserved=bool(purchase.reservation_id or purchase.resource_group_arn),
    )
