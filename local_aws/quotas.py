"""Quotas of EC2 in vCPUs, with what an account runs, and of resources that are counted."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from local_aws.api_errors import api_error
from local_aws.contract import Call, Store
from local_aws.knowledge.current import knowledge
from local_aws.knowledge.rows import InstanceType, ServiceQuota
from local_aws.reservations import BLOCK_KIND, reported, reservations
from local_aws.running_capacity import running
from local_aws.services.seed_data import seed_data

SERVICE = "ec2"
TABLE = "service-quotas.values"
ELASTIC_IPS = (SERVICE, "L-0263D0A3")


def vcpu_quotas() -> dict[str, ServiceQuota]:
    """Returns the quotas of the instance types that the catalog has, by code."""
    found = (quota for row in knowledge().instance_types.values() for quota in (row.on_demand_quota, row.spot_quota))
    return {quota.code: quota for quota in found if quota is not None}


class CountedQuota(Struct, frozen=True):
    """A quota that counts resources."""

    service: str
    code: str
    name: str
    value: float
    """The value of an account until it is raised."""
    new_account: float | None = None
    """The value of an account that was never used, where it is another one."""


@functools.cache
def counted_quotas() -> dict[tuple[str, str], CountedQuota]:
    """Returns the quotas of other resources than instances, by service and code."""
    services: dict[str, dict[str, Any]] = seed_data("servicequotas")["counted"]
    rows = ((service, code, row) for service, codes in services.items() for code, row in codes.items())
    return {(service, code): CountedQuota(service, code, **row) for service, code, row in rows}


@functools.cache
def quota_named(service: str, name: str) -> tuple[str, str] | None:
    """Returns service and code of the quota with this name; None for one that is not known."""
    return next((key for key, row in counted_quotas().items() if (row.service, row.name) == (service, name)), None)


def require_addresses(call: Call, count: int) -> None:
    """Refused when ``count`` more Elastic IP addresses are more than the quota of an account that was never used.

    Other local accounts have room for every environment, as for instances.
    """
    held = len(call.moto_backend("ec2").addresses)
    if call.store.is_fresh_account and held + count > counted_value(call.store, call.account, call.region, ELASTIC_IPS):
        raise api_error("ec2.address_limit")


def counted_value(store: Store, account: str, region: str, quota: tuple[str, str]) -> float:
    """The value that was set for the quota, else the default. LookupError for one that is not known."""
    row = counted_quotas()[quota]
    first = row.new_account if store.is_fresh_account and row.new_account is not None else row.value
    value: float = store.table(account, region, TABLE).get("/".join(quota), first)
    return value


def default_value() -> float:
    """vCPUs that a local account has of each quota, unless it plays one that was never used."""
    return float(seed_data("servicequotas")["default_vcpus"])


def value_at_first(store: Store, code: str) -> float:
    """vCPUs of a quota that nobody has asked to raise."""
    if not store.is_fresh_account:
        return default_value()
    given: float = seed_data("servicequotas")["new_account"]["vcpus"].get(code, 0)
    return float(given)


def quota_value(store: Store, account: str, region: str, code: str) -> float:
    value: float = store.table(account, region, TABLE).get(code, value_at_first(store, code))
    return value


def set_quota(store: Store, account: str, region: str, code: str, value: float) -> None:
    """Sets the quota to any value, which no API call can. LookupError for a code that the catalog has not."""
    if code not in vcpu_quotas():
        raise LookupError(f"no quota in vCPUs has the code {code}; known: {', '.join(vcpu_quotas())}")
    store.table(account, region, TABLE)[code] = value


def require_vcpus(call: Call, type_name: str, count: int, *, spot: bool) -> None:
    """Refused when ``count`` more machines are more than the quota of their types allows.

    A type that the catalog has not belongs to no bucket that is known here.
    """
    row = knowledge().instance_types.get(type_name)
    quota = _bucket(row, spot=spot) if row is not None else None
    if row is None or row.vcpus is None or quota is None:
        return
    limit = quota_value(call.store, call.account, call.region, quota.code)
    used = sum(vcpus for code, vcpus in _used(call) if code == quota.code)
    if used + count * row.vcpus <= limit:
        return
    if spot:
        raise api_error("ec2.spot_count")
    raise api_error("ec2.vcpu_limit", limit=limit)


def _bucket(row: InstanceType, *, spot: bool) -> ServiceQuota | None:
    return row.spot_quota if spot else row.on_demand_quota


def _used(call: Call) -> Iterator[tuple[str, int]]:
    """Quota code and vCPUs of all that runs and of what is reserved.

    https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-reservations.html: of a reservation also the part
    that nobody uses.
    """
    for each in running(call):
        yield from _vcpus(each.instance_type, each.count, each.market)
    for row in reservations(call).values():
        if row["ReservationType"] != BLOCK_KIND:
            yield from _vcpus(row["InstanceType"], reported(call, row)["AvailableInstanceCount"], None)


def _vcpus(type_name: str, count: int, market: str | None) -> Iterator[tuple[str, int]]:
    row = knowledge().instance_types.get(type_name)
    quota = _bucket(row, spot=market == "spot") if row is not None and market != "capacity-block" else None
    if row is not None and row.vcpus is not None and quota is not None:
        yield quota.code, count * row.vcpus
