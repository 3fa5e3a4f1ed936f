"""Running machines in an account and Region: the only record that quotas, reservations and deletions read.

moto has the instances that a call has described or launched by name. Those that an Auto Scaling group launched are
rows here until a call describes them: a node group may have thousands, and most deploys describe none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_aws.contract import Call, Store
from local_aws.launch import Launch, addresses_of, named_groups

RUNNING = ("pending", "running")
TABLE = "ec2.undescribed-instances"


class Undescribed(Struct):
    """Instances of an Auto Scaling group, all alike, in one subnet and one reservation or none."""

    request: Mapping[str, Any]
    """The parameters of RunInstances that launched them, completed by the launch template."""
    launch: Launch
    subnet_id: str
    reservation_id: str | None
    count: int


class Running(Struct, frozen=True):
    """So many instances that count against a quota, and take places of a reservation."""

    instance_type: str
    market: str | None
    reservation_id: str | None
    count: int


def undescribed(store: Store, account: str, region: str) -> dict[str, list[Undescribed]]:
    """Rows by the name of the Auto Scaling group."""
    return store.table(account, region, TABLE)


def undescribed_rows(call: Call) -> Iterator[Undescribed]:
    for rows in undescribed(call.store, call.account, call.region).values():
        yield from rows


def running(call: Call) -> Iterator[Running]:
    """All that runs, in the order of the launches of what is described."""
    for instance in call.moto_backend("ec2").all_instances():
        if instance.state not in RUNNING:
            continue
        reservation_id = getattr(instance, "capacity_reservation_id", None)
        yield Running(instance.instance_type, instance.lifecycle, reservation_id, 1)
    for row in undescribed_rows(call):
        yield Running(row.launch.instance_type, row.launch.market, row.reservation_id, row.count)


def undescribed_addresses(call: Call, subnet_id: str) -> int:
    """Addresses of a subnet that they have."""
    rows = (row for row in undescribed_rows(call) if row.subnet_id == subnet_id)
    return sum(row.count * addresses_of(row.request) for row in rows)


def security_groups_in_use(call: Call) -> set[str]:
    """Ids of the groups that interfaces of undescribed instances carry."""
    return {group for row in undescribed_rows(call) for group in named_groups(row.request)}


def placement_groups_in_use(call: Call) -> set[str]:
    """Names and ids of the placement groups that they are in."""
    placements = [row.request.get("Placement") or {} for row in undescribed_rows(call)]
    return {each[name] for each in placements for name in ("GroupName", "GroupId") if each.get(name)}
